"""The speed of calcsim, each figure a ratio of two things that were timed in one go.

`python tests/bench/bench.py [PART ...]` runs all parts, or those that are named. Machines are
noisy: the two sides take turns, and the ratio is the median over the turns.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from measure import Measured, measure
from reference_strategies import PLACE

from calcsim.batch.shard import MOST_SHARD_DEALS
from calcsim.engine.games import Deals, Games, make_ready, play
from calcsim.game.deal import deal_cards
from calcsim.game.layout import Layout, lay_out_variant
from calcsim.game.variants import STANDARD
from calcsim.reference.dealing import new_game
from calcsim.reference.draws import StrategyDraws
from calcsim.reference.playing import play_simple
from calcsim.reference.rules import rules_from_data
from calcsim.strategy.strategy import StrategyPlayer, load_strategy, ready_player

HERE = Path(__file__).parent
CALCSIM = str(Path(sys.executable).parent / "calcsim")
SEED = 7
TURNS = 5
STRATEGIES = ("random", "greedy")
MAIN_JOB = (
    "shortest",
    *STRATEGIES,
    "king-pile",
    "descending-step",
    "need-order",
    "need-order-deep",
)


def report(what: str, ratio: float, target: str, note: str = "") -> None:
    """Print one figure."""
    print(f"  {what:<58} {ratio:8.2f}   {target}{f'   ({note})' if note else ''}", flush=True)


def player(name: str) -> tuple[StrategyPlayer, Layout]:
    """A strategy, compiled, and the layout of the standard game."""
    ready, layout = ready_player(load_strategy(name), STANDARD), lay_out_variant(STANDARD)
    make_ready(ready, layout)
    return ready, layout


def engine(name: str, deals: int) -> tuple[float, Games]:
    """Seconds that the bare engine takes: deal, play, columns of results; no file, no process."""
    ready, layout = player(name)
    start = time.perf_counter()
    games = play(ready, layout, Deals(SEED, 0, deals))
    return time.perf_counter() - start, games


def totals(games: Games) -> tuple[int, int, int]:
    """Wins, foundation cards and direct plays."""
    cards = sum(number * count for number, count in enumerate(games.tally.tolist()))
    return int(games.tally[-1]), cards, int(games.direct_plays.sum(dtype=int))


def bench_twin(deals: int = 1_000_000) -> None:
    """The engine against the same in C, written by hand."""
    compiler = shutil.which("gcc")
    if compiler is None:
        print("  no gcc on this machine: the C twin is left out")
        return
    twin = HERE / "build" / "twin"
    twin.parent.mkdir(exist_ok=True)
    flags = ["-O3", "-march=native", "-Wall", "-Wextra", "-o", str(twin)]
    subprocess.run([compiler, *flags, str(HERE / "twin.c")], check=True)
    for name in STRATEGIES:
        key = str(player(name)[0].draw_key)
        ratios = []
        for _ in range(TURNS):
            command = [str(twin), name, str(SEED), "0", str(deals), key]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            in_c, *c_totals = printed.split()
            ours, games = engine(name, deals)
            if totals(games) != tuple(map(int, c_totals)):
                sys.exit(f"the totals of {name} differ: {totals(games)}, in C {c_totals}")
            ratios.append(float(in_c) / ours)
        report(
            f"{name}: games a second, to those of the C twin",
            statistics.median(ratios),
            "at least 0.9",
            "totals equal to the last card",
        )


def bench_reference(deals: int = 300) -> None:
    """The engine against the rules in plain Python."""
    rules = rules_from_data(STANDARD.as_data())
    for name in STRATEGIES:
        key = player(name)[0].draw_key
        start = time.perf_counter()
        for number in range(deals):
            place = PLACE[name]
            if name == "random":
                place = partial(place, draws=StrategyDraws(SEED, number, key))
            play_simple(new_game(rules, SEED, number), place)
        plain = (time.perf_counter() - start) / deals
        ours = engine(name, 200_000)[0] / 200_000
        report(f"{name}: games a second, to those of plain Python", plain / ours, "at least 50")


def run(
    strategies: str, deals: str, *options: str, verb: str = "run", with_memory: bool = False
) -> Measured:
    """The whole command with per-deal rows and all tables, measured from outside."""
    with tempfile.TemporaryDirectory(prefix="calcsim-bench-") as folder:
        out = Path(folder) / "run"
        command = [
            *(CALCSIM, verb, *strategies.split()),
            *("--deals", deals, "--seed", str(SEED), "--quiet"),
        ]
        measured = measure([*command, "--out", str(out), *options], with_memory)
        rows = sum(file.stat().st_size for file in out.glob("deals/*/*.parquet"))
    return measured.with_row_bytes(rows)


def bench_command(deals: int = 10_000_000) -> None:
    """The whole command against the bare engine."""
    for name in STRATEGIES:
        ratios, row_bytes = [], 0
        for _ in range(3):
            bare = sum(engine(name, deals // 10)[0] for _ in range(10))
            whole = run(name, str(deals), "--workers", "1")
            ratios.append(bare / whole.seconds)
            row_bytes = whole.row_bytes
        report(
            f"{name}: calcsim run, 10 M deals, 1 worker, to the bare engine",
            statistics.median(ratios),
            "at least 0.75",
        )
        report(f"{name}: bytes a deal on disk", row_bytes / deals, "at most 4.5")


def bench_workers() -> None:
    """Two workers against one."""
    jobs = {"the main job, all plain strategies": (" ".join(MAIN_JOB), "10M")}
    jobs |= {name: (name, "40M") for name in STRATEGIES}
    for what, (strategies, deals) in jobs.items():
        run(strategies, "1000")  # whatever needs compiling
        one_and_two = (
            [run(strategies, deals, "--workers", str(workers)).seconds for workers in (1, 2)]
            for _ in range(3)
        )
        ratio = statistics.median(one / two for one, two in one_and_two)
        report(f"{what}: {deals} deals, 2 workers to 1", ratio, "at least 1.8")


def bench_tournament(deals: int = 3_000_000) -> None:
    """All plain strategies together against each in a run of its own, less dealing again."""
    run(" ".join(MAIN_JOB), "1000")  # whatever needs compiling
    start = time.perf_counter()
    for first in range(0, deals, MOST_SHARD_DEALS):
        deal_cards(STANDARD, SEED, first, MOST_SHARD_DEALS)
    dealing = time.perf_counter() - start
    ratios = []
    for _ in range(3):
        apart = sum(run(name, str(deals), "--workers", "1").seconds for name in MAIN_JOB)
        whole = run(" ".join(MAIN_JOB), str(deals), "--workers", "1", verb="tournament")
        ratios.append(whole.seconds / (apart - (len(MAIN_JOB) - 1) * dealing))
    report("a tournament of seven, to seven runs", statistics.median(ratios), "at most 1.1")


def bench_memory() -> None:
    """Peak memory of a long run against a short one."""
    for name in ("greedy",):
        short, long = (run(name, deals, with_memory=True) for deals in ("1M", "20M"))
        report(
            f"{name}: peak memory, 20 M deals to 1 M",
            long.peak_mib / short.peak_mib,
            "about 1",
            f"{long.peak_mib:.0f} and {short.peak_mib:.0f} MiB, all processes together",
        )


def bench_start() -> None:
    """Starting up."""
    ratios = []
    for _ in range(15):
        click = measure([sys.executable, "-c", "import click"]).seconds
        ratios.append(measure([CALCSIM, "--help"]).seconds / click)
    report("calcsim --help, to `import click`", statistics.median(ratios), "at most 3")
    with tempfile.TemporaryDirectory(prefix="calcsim-bench-") as folder, kept_in(folder):
        cold = run("greedy", "1000").seconds
        warm = statistics.median(run("greedy", "1000").seconds for _ in range(TURNS))
    report(
        "calcsim run greedy --deals 1000: the first ever, to a warm one",
        cold / warm,
        "",
        f"{cold:.1f} s, at most 10; {warm:.2f} s, about 1.5",
    )


@contextmanager
def kept_in(folder: str) -> Iterator[None]:
    """Keep compiled code in a folder."""
    before = os.environ.get("CALCSIM_CACHE_DIR")
    os.environ["CALCSIM_CACHE_DIR"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["CALCSIM_CACHE_DIR"]
        else:
            os.environ["CALCSIM_CACHE_DIR"] = before


PARTS: dict[str, Callable[[], None]] = {
    "twin": bench_twin,
    "reference": bench_reference,
    "command": bench_command,
    "workers": bench_workers,
    "tournament": bench_tournament,
    "memory": bench_memory,
    "start": bench_start,
}


def main(names: list[str]) -> None:
    """Run the parts that are named, or all."""
    for name in names:
        if name not in PARTS:
            sys.exit(f"there is no part '{name}': {', '.join(PARTS)}")
    for name in names or PARTS:
        print(f"{name}: {PARTS[name].__doc__}")
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
