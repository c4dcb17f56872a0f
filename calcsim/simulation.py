"""From a plan to its results: the call behind `calcsim run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calcsim.analysis.totals import Totals
from calcsim.batch.disk_errors import RunDirectoryError
from calcsim.batch.interrupts import interrupts_held
from calcsim.batch.looks import look_ends
from calcsim.batch.manifest import Course, manifest, now
from calcsim.batch.plan import Plan
from calcsim.batch.progress import Progress
from calcsim.batch.reopening import recorded_fingerprints, refuse_drift, reopened_directory
from calcsim.batch.run_directory import Contents, RunDirectory, new_directory
from calcsim.batch.shard import Shard, ShardResult, make_shards, shard_size
from calcsim.batch.shard_record import ShardRecord, pieces
from calcsim.batch.wanted import DEFAULT_AUDIT, DEFAULT_GAME_SECONDS, Wanted
from calcsim.batch.workers import Workers, available_cores
from calcsim.compiling import compile_strategies
from calcsim.strategy.catalogue import BUILTIN
from calcsim.strategy.fingerprint import twins

# polars and scipy are loaded while the workers play: a run starts sooner.
if TYPE_CHECKING:
    from calcsim.analysis.run import Run
    from calcsim.analysis.stopping import Stopping

DEFAULT_CONFIDENCE = 0.95

Note = Callable[[str], None]


def _say_nothing(note: str) -> None:
    """The default for notes."""


def simulate(
    plan: Plan,
    *,
    out: Path | str | None = None,
    resume: bool = False,
    workers: int | None = None,
    keep_deals: bool = True,
    confidence: float = DEFAULT_CONFIDENCE,
    stopping: Stopping | None = None,
    keep_going: bool | None = None,
    audit: float = DEFAULT_AUDIT,
    game_seconds: float = DEFAULT_GAME_SECONDS,
    shard_deals: int | None = None,
    show_progress: bool = False,
    note: Note = _say_nothing,
) -> Run:
    """Play a plan. In a script, call it under `if __name__ == "__main__":`: workers are spawned.

    Args:
        plan: what is played.
        out: run directory to write; left out, nothing is written.
        resume: whether to go on with the run that is in `out`, if there is one.
        workers: processes; left out, one for each core that this process may use.
        keep_deals: whether a row per deal is written to `out`.
        confidence: of the intervals, between 0 and 1.
        stopping: when the run may end before all deals of the plan are played; its intervals are
            then confidence sequences.
        keep_going: whether games that a strategy cannot finish are counted as failed, instead of
            ending the run; left out, so it is for all but built-in strategies.
        audit: share of the deals that are played again in the reference engine, 0 to 1.
        game_seconds: of computing that a game may take; one that takes more ends the run.
        shard_deals: deals that a worker plays at a time; left out, about two seconds' work.
        show_progress: draw a progress bar on standard error if it is a terminal.
        note: called with lines that a user may want to read meanwhile.

    Raises:
        StrategyError: a strategy does not compile or its arrays cannot be had.
        StrategyFault: a strategy raised or made an illegal move, and the run does not go on.
        AuditError: a game is not what the rules make of it.
        RunDirectoryError: `out` cannot take the run.
        WorkerError: worker processes were killed.
        KeyboardInterrupt: what was finished by then is in `out`.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
    if not 0 <= audit <= 1:
        raise ValueError(f"the audited share is 0 to 1, not {audit}")
    for name, number in (("workers", workers), ("shard_deals", shard_deals)):
        if number is not None and number < 1:
            raise ValueError(f"{name} is at least 1, not {number}")
    if resume and out is None:
        raise ValueError("to go on with a run, name its directory as out")
    anyway = plan.first_deal if audit else None
    wanted = Wanted(keep_deals, keep_going, audit, anyway, game_seconds)
    course = Course(started=now(), workers=workers or available_cores())
    simulation = _Simulation(plan, wanted, confidence, stopping, course, note)
    with Workers(course.workers) as crew:
        compile_strategies(plan, crew, note)
        if out is not None:
            simulation.open(Path(out), resume)
        try:
            with Progress(None if stopping else plan.deals, show_progress) as progress:
                simulation.play(crew, shard_deals, progress)
        finally:
            simulation.close()
    return simulation.run()


class _Simulation:
    """One run under way: what is known so far, and where it is written."""

    def __init__(
        self,
        plan: Plan,
        wanted: Wanted,
        confidence: float,
        stopping: Stopping | None,
        course: Course,
        note: Note,
    ) -> None:
        self.plan = plan
        self.wanted = wanted
        self.confidence = confidence
        self.stopping = stopping
        self.course = course
        self.note = note
        self.directory: RunDirectory | None = None
        labels = [strategy.label for strategy in plan.strategies]
        self.totals = Totals(labels, plan.variant.winning_cards)
        self._cut: Callable[[Plan], Iterator[Shard]] | None = None

    def open(self, path: Path, resume: bool) -> None:
        """Take a directory for what is to be played, or one that holds some of it."""
        contents = Contents(
            tuple(self.totals.tallies),
            len(self.plan.variant.foundations),
            self.wanted.rows,
            {s.label: s.source for s in self.plan.strategies if s.origin != BUILTIN},
        )
        if resume:
            self.directory, self.course.before = reopened_directory(
                path, contents, self._manifest(), self.note
            )
            if self.course.before:
                self.course.fingerprints = recorded_fingerprints(self.course.before)
        else:
            self.directory = new_directory(path, contents)

    def close(self) -> None:
        """Let others write to the directory."""
        if self.directory:
            self.directory.release()

    def play(self, workers: Workers, shard_deals: int | None, progress: Progress) -> None:
        """Play everything; whatever ends it early, what was finished is written."""
        self.course.playing = now()
        try:
            for part in self._parts():
                for record in self._play_part(part, workers, shard_deals):
                    progress.add(record.count, self._rates_so_far())
        except BaseException as error:
            # What ended the run is what must be told.
            with suppress(RunDirectoryError), interrupts_held():
                self._finish("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
            raise
        with interrupts_held():
            self._finish("finished")

    def _parts(self) -> Iterator[Plan]:
        """What is played from one look at the data to the next: all at once, if none is needed."""
        if self.stopping is None:
            yield self.plan
            return
        strategies, first = self.plan.strategies, self.plan.first_deal
        played = 0
        for end in look_ends(self.plan.deals):
            deals = end - played
            yield replace(self.plan, strategies=strategies, first_deal=first + played, deals=deals)
            played = end
            labels = [strategy.label for strategy in strategies]
            going_on = self.stopping.who_goes_on(labels, self.totals, self.confidence)
            if not going_on:
                return
            strategies = tuple(s for s in strategies if s.label in going_on)

    def _play_part(
        self, part: Plan, workers: Workers, shard_deals: int | None
    ) -> Iterator[ShardRecord]:
        """The shards of a part in the order of their deals; those that are whole are taken up."""
        labels = tuple(strategy.label for strategy in part.strategies)
        found = self.directory.records.values() if self.directory else ()
        for piece in pieces(part.first_deal, part.first_deal + part.deals, labels, found):
            if piece.record and self._take_up(piece.record):
                yield piece.record
                continue
            gap = replace(part, first_deal=piece.first, deals=piece.count)
            for result in self._results(gap, workers, shard_deals):
                with interrupts_held():
                    if self.directory:
                        self.directory.add(result)
                    self._count(result.record)
                    self.course.games += result.deals.count * len(result.record.labels)
                yield result.record

    def _take_up(self, record: ShardRecord) -> bool:
        assert self.directory
        with interrupts_held():
            is_whole = self.directory.take_up(record)
            if is_whole:
                self._count(record)
        if not is_whole:
            last = record.end - 1
            self.note(f"deals {record.first} to {last} are not what was written: played again")
        return is_whole

    def _results(
        self, gap: Plan, workers: Workers, shard_deals: int | None
    ) -> Iterator[ShardResult]:
        """What comes of deals that are played now."""
        if self._cut:
            return workers.play_in_order(self._cut(gap))
        self._cut = self._cutter(workers, shard_deals)
        fingerprints = workers.take_fingerprints(self.plan)
        results = workers.play_in_order(self._cut(gap))
        self._take(tuple(fingerprints))
        if self.directory:
            with interrupts_held():  # while the workers play
                self.directory.write_sources()
                self._write_manifest()
        return results

    def _cutter(self, workers: Workers, size: int | None) -> Callable[[Plan], Iterator[Shard]]:
        if size:
            return partial(make_shards, size=size, wanted=self.wanted)
        size = shard_size(self.plan, workers.measure_pace(self.plan, self.wanted))
        return partial(make_shards, size=size, wanted=self.wanted, workers=workers.count)

    def _take(self, fingerprints: tuple[str, ...]) -> None:
        of_labels = dict(zip(self.totals.tallies, fingerprints, strict=True))
        refuse_drift(self.course.fingerprints, of_labels)
        self.course.fingerprints = of_labels
        for labels in twins(of_labels):
            self.note(
                f"{' and '.join(labels)} make the same moves in all deals of their fingerprints: "
                "the same strategy under several names?"
            )

    def _count(self, record: ShardRecord) -> None:
        self.totals.add(record)
        self.course.count(record)

    def _rates_so_far(self) -> Iterator[tuple[str, float]]:
        for label, tally in self.totals.tallies.items():
            yield label, tally.wins / tally.deals

    def run(self) -> Run:
        """The results of all that was played."""
        from calcsim.analysis.run import Run
        from calcsim.analysis.run_tables import run_tables

        tables = run_tables(
            self.totals.tallies,
            self.totals.duels,
            self.plan.variant,
            self.plan.seed,
            self.confidence,
            sequential=self.stopping is not None,
        )
        path = self.directory.path if self.directory else None
        return Run(**tables, manifest=self._manifest(), path=path)

    def _finish(self, status: str) -> None:
        self.course.status = status
        self.course.finished = now()
        if self.directory is None:
            return
        if self.course.deals_done == 0:
            if self.course.before is None:
                self.directory.discard()
            return
        next_deal = self.plan.first_deal + self.course.deals_done
        if any(record.first >= next_deal for record in self.directory.records.values()):
            return  # ended while it was gone through: the tables of before tell more
        if status == "finished":
            self.directory.check_rows()
        run = self.run()
        try:
            self.directory.write_tables(run.tables())
        finally:
            self._write_manifest()

    def _write_manifest(self) -> None:
        if self.directory:
            self.directory.write_manifest(self._manifest())

    def _manifest(self) -> dict[str, Any]:
        digests = self.directory.digests() if self.directory else {}
        stopping = asdict(self.stopping) if self.stopping else None
        return manifest(self.plan, self.course, self.wanted, self.confidence, stopping, digests)
