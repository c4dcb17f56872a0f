"""Plays every variant with every plain strategy and writes the published tables of this folder.

`python results/publish.py [DEALS] [FOLDER]` takes some minutes for its million deals. The tables
depend on nothing but the deals and the strategies: they are the same to the last byte each time.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import polars as pl
import polars.selectors as cs
from tabulate import tabulate

from calcsim import make_plan, simulate
from calcsim.analysis.published import claims_about
from calcsim.batch.files import write_whole
from calcsim.game.variants import VARIANTS

STRATEGIES = (
    "random",
    "shortest",
    "greedy",
    "king-pile",
    "descending-step",
    "need-order",
    "need-order-deep",
)
SEED = 1
DEALS = 1_000_000
DIGITS = 6
HERE = Path(__file__).parent


def play(deals: int, workers: int | None = None) -> dict[str, pl.DataFrame]:
    """All tables, by their names, each with a column `variant`."""
    rates, counts = [], []
    for name in VARIANTS:
        plan = make_plan(STRATEGIES, deals=deals, variant=name, seed=SEED)
        print(name, file=sys.stderr)
        run = simulate(plan, workers=workers, show_progress=True)
        rates.append(run.win_rates)
        counts.append(run.foundation_counts.select(pl.lit(name).alias("variant"), pl.all()))
    tables = {"win_rates": pl.concat(rates), "foundation_counts": pl.concat(counts)}
    return {name: table.with_columns(cs.float().round(DIGITS)) for name, table in tables.items()}


def publish(tables: dict[str, pl.DataFrame], folder: Path) -> None:
    """Write the tables as CSV, and what they say into the README of the folder."""
    (folder / "published").mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        text = table.write_csv(float_precision=DIGITS)
        write_whole(folder / "published" / f"{name}.csv", _writer(text))
    write_whole(folder / "README.md", _writer(readme(tables["win_rates"])))


def readme(rates: pl.DataFrame) -> str:
    """The README of this folder with the tables that follow from the win rates."""
    text = (HERE / "README.md").read_text()
    text = _put_between_marks(text, "win rates", _win_rates(rates))
    return _put_between_marks(text, "claims", _claims(rates))


def _writer(text: str) -> Callable[[BinaryIO], int]:
    return lambda file: file.write(text.encode())


def _put_between_marks(text: str, mark: str, lines: list[str]) -> str:
    begin, end = f"<!-- {mark} -->\n", "<!-- end -->\n"
    block = "".join([begin, *(f"{line}\n" for line in lines), end])
    found = re.subn(f"{begin}.*?{end}", lambda _: block, text, count=1, flags=re.S)
    if found[1] != 1:
        sys.exit(f"results/README.md has no place for {mark}")
    return found[0]


def _win_rates(rates: pl.DataFrame) -> list[str]:
    """A line per variant, a column per strategy, in percent with half an interval."""
    head = ["variant", *STRATEGIES]
    rows = []
    for variant in VARIANTS:
        of_variant = {row["strategy"]: row for row in rates.filter(variant=variant).to_dicts()}
        rows.append([variant, *(_rate(of_variant[strategy]) for strategy in STRATEGIES)])
    return _markdown(head, rows)


def _claims(rates: pl.DataFrame) -> list[str]:
    """A line per claim, with the best of the strategies that were measured beside it."""
    rows = []
    for name, variant in VARIANTS.items():
        ranked = rates.filter(variant=name).sort("wins", descending=True, maintain_order=True)
        best = ranked.row(0, named=True)
        measured = f"{_rate(best)} % ({best['strategy']})"
        said = [(claim.who, claim.wins) for claim in claims_about(variant)]
        rows += [[name, who, wins, measured] for who, wins in said or [("nobody", "-")]]
    return _markdown(["variant", "who says so", "wins", "best measured here"], rows)


def _rate(row: dict[str, float]) -> str:
    half = 50 * (row["win_rate_high"] - row["win_rate_low"])
    return f"{100 * row['win_rate']:.3f} ± {half:.3f}"


def _markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    return tabulate(rows, head, tablefmt="github", disable_numparse=True).splitlines()


def main(deals: int = DEALS, folder: Path = HERE, workers: int | None = None) -> None:
    """Play and publish."""
    publish(play(deals, workers), folder)


if __name__ == "__main__":
    main(*(convert(word) for convert, word in zip((int, Path), sys.argv[1:], strict=False)))
