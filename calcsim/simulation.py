"""From a plan to its results: the call behind `calcsim run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calcsim.analysis.tally import Tally
from calcsim.batch.duels import Duels
from calcsim.batch.interrupts import interrupts_held
from calcsim.batch.looks import look_ends
from calcsim.batch.manifest import Course, manifest, now
from calcsim.batch.plan import Plan
from calcsim.batch.progress import Progress
from calcsim.batch.run_directory import RunDirectory, RunDirectoryError
from calcsim.batch.shard import Shard, ShardResult, make_shards, shard_size
from calcsim.batch.workers import Workers, available_cores
from calcsim.engine.code_cache import code_cache
from calcsim.engine.games import is_ready, make_ready
from calcsim.game.layout import lay_out_variant
from calcsim.strategy.compile_error import describe_compile_error
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.fingerprint import twins
from calcsim.strategy.strategy import ready_player

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
    workers: int | None = None,
    keep_deals: bool = True,
    confidence: float = DEFAULT_CONFIDENCE,
    stopping: Stopping | None = None,
    shard_deals: int | None = None,
    show_progress: bool = False,
    note: Note = _say_nothing,
) -> Run:
    """Play a plan. In a script, call it under `if __name__ == "__main__":`: workers are spawned.

    Args:
        plan: what is played.
        out: run directory to write; left out, nothing is written.
        workers: processes; left out, one for each core that this process may use.
        keep_deals: whether a row per deal is written to `out`.
        confidence: of the intervals, between 0 and 1.
        stopping: when the run may end before all deals of the plan are played; its intervals are
            then confidence sequences.
        shard_deals: deals that a worker plays at a time; left out, about two seconds' work.
        show_progress: draw a progress bar on standard error if it is a terminal.
        note: called with lines that a user may want to read meanwhile.

    Raises:
        StrategyError: a strategy does not compile or its arrays cannot be had.
        StrategyFault: a strategy raised or made an illegal move.
        RunDirectoryError: `out` cannot take the run.
        WorkerError: a worker process was killed.
        KeyboardInterrupt: what was finished by then is in `out`.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
    for name, number in (("workers", workers), ("shard_deals", shard_deals)):
        if number is not None and number < 1:
            raise ValueError(f"{name} is at least 1, not {number}")
    simulation = _Simulation(plan, workers or available_cores(), confidence, stopping, note)
    compile_strategies(plan, note)
    if out is not None:
        simulation.directory = RunDirectory(Path(out), plan, keep_deals)
    try:
        with Progress(None if stopping else plan.deals, show_progress) as progress:
            simulation.play(shard_deals, progress)
    finally:
        if simulation.directory:
            simulation.directory.release()
    return simulation.run()


class _Simulation:
    """One run under way: what is known so far, and where it is written."""

    def __init__(
        self,
        plan: Plan,
        workers: int,
        confidence: float,
        stopping: Stopping | None,
        note: Note,
    ) -> None:
        self.plan = plan
        self.confidence = confidence
        self.stopping = stopping
        self.note = note
        self.course = Course(started=now(), workers=workers)
        self.directory: RunDirectory | None = None
        nothing = Tally.empty(plan.variant.winning_cards)
        self.tallies = {strategy.label: nothing for strategy in plan.strategies}
        self.duels = Duels.none(len(plan.strategies))

    def play(self, shard_deals: int | None, progress: Progress) -> None:
        """Play everything; whatever ends it early, what was finished is written."""
        self.course.playing = now()
        try:
            with Workers(self.course.workers) as workers:
                cut = self._cutter(workers, shard_deals)
                fingerprints = workers.take_fingerprints(self.plan)
                for part in self._parts():
                    results = workers.play_in_order(cut(part))
                    if not self.course.fingerprints:
                        self._take(tuple(fingerprints))
                        with interrupts_held():
                            self._write_manifest()  # while the workers play
                    for result in results:
                        with interrupts_held():
                            self._add(result)
                        progress.add(result.deals.count, self._rates_so_far())
        except BaseException as error:
            # What ended the run is what must be told.
            with suppress(RunDirectoryError), interrupts_held():
                self._finish("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
            raise
        with interrupts_held():
            self._finish("finished")

    def _take(self, fingerprints: tuple[str, ...]) -> None:
        self.course.fingerprints = fingerprints
        for labels in twins(dict(zip(self.tallies, fingerprints, strict=True))):
            self.note(
                f"{' and '.join(labels)} make the same moves in all deals of their fingerprints: "
                "the same strategy under several names?"
            )

    def _cutter(self, workers: Workers, size: int | None) -> Callable[[Plan], Iterator[Shard]]:
        if size:
            return partial(make_shards, size=size)
        size = shard_size(self.plan, workers.measure_pace(self.plan))
        return partial(make_shards, size=size, workers=workers.count)

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
            going_on = self.stopping.who_goes_on(labels, self.tallies, self.duels, self.confidence)
            if not going_on:
                return
            strategies = tuple(s for s in strategies if s.label in going_on)

    def run(self) -> Run:
        """The results of all that was played."""
        from calcsim.analysis.head_to_head import head_to_head
        from calcsim.analysis.run import Run
        from calcsim.analysis.tables import foundation_counts, win_rates

        return Run(
            win_rates(
                self.tallies,
                variant=self.plan.variant.name,
                seed=self.plan.seed,
                near_miss_cards=self.plan.variant.near_miss_cards,
                confidence=self.confidence,
                sequential=self.stopping is not None,
            ),
            foundation_counts(self.tallies),
            head_to_head(
                list(self.tallies),
                self.duels,
                self.confidence,
                sequential=self.stopping is not None,
            ),
            self._manifest(),
            self.directory.path if self.directory else None,
        )

    def _add(self, result: ShardResult) -> None:
        if self.directory:
            self.directory.add(result)
        for label, games, seconds in zip(result.labels, result.games, result.seconds, strict=True):
            self.tallies[label] += Tally(games.tally, int(games.direct_plays.sum(dtype=int)))
            self.course.played[label] += result.deals.count
            self.course.seconds[label] += seconds
        places = [place for place, label in enumerate(self.tallies) if label in result.labels]
        self.duels += result.duels.among(len(self.tallies), places)
        self.course.deals_done += result.deals.count

    def _rates_so_far(self) -> Iterator[tuple[str, float]]:
        for label, tally in self.tallies.items():
            yield label, tally.wins / tally.deals

    def _finish(self, status: str) -> None:
        self.course.status = status
        self.course.finished = now()
        if self.directory is None:
            return
        if self.course.deals_done == 0:
            self.directory.discard()
            return
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
        return manifest(self.plan, self.course, self.confidence, stopping, digests)


def compile_strategies(plan: Plan, note: Note = _say_nothing) -> None:
    """Compile what a plan needs, so that the workers find it on disk.

    Raises:
        StrategyError: a strategy does not compile, or its arrays cannot be had.
    """
    layout = lay_out_variant(plan.variant)
    new = [s for s in plan.strategies if not is_ready(ready_player(s, plan.variant), layout)]
    if new:
        kept = "the code is kept" if code_cache().lasting else "no folder to keep it is writable"
        names = ", ".join(strategy.label for strategy in new)
        note(f"compiling {names}: a few seconds each, this once ({kept}) ...")
    for strategy in new:
        try:
            with interrupts_held():  # while it compiles, LLVM swallows what is raised
                make_ready(ready_player(strategy, plan.variant), layout)
        except Exception as error:
            text = describe_compile_error(strategy, plan.variant, error)
            raise StrategyError(text) from None
