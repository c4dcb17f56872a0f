"""A comparison as plain text for a terminal, with what must be known to read it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from calcsim.analysis.arms import Arm, Side
from calcsim.analysis.text import (
    DASH,
    PAIR,
    difference_columns,
    interval_heading,
    percent_digits,
)
from calcsim.analysis.text_table import Heading, text_table

_PAIRED: Heading = ("", "paired")
_DEALS: Heading = ("", "deals")
_WON: Heading = ("won %", "each")
_VARIANTS: Heading = ("", "variants")

_LEAST_WIDTH = 30


def comparison_text(arms: Sequence[Arm], table: pl.DataFrame, width: int) -> str:
    """The runs, if they are several, a line per pair, and notes.

    Where the width does not suffice, columns are left out: the variants first, which the lines on
    the runs tell too, then the win rates, the number of deals, and whether they were paired, which
    the notes tell too.

    Args:
        arms: what was compared.
        table: what came of it, see `analysis.compare`.
        width: columns of the terminal.
    """
    sides = list(dict.fromkeys(arm.side for arm in arms))
    notes = [*_pairing_notes(sides, table), *_program_notes(table), *_method_notes(sides, table)]
    parts = [
        "\n".join(_wrapped(line, width) for line in _runs(sides, arms)),
        _pairs(table, width),
        "\n".join(_wrapped(note, width) for note in notes),
        "\n".join(_wrapped(line, width) for line in _level_pairs(table)),
    ]
    return "\n\n".join(part for part in parts if part)


def _runs(sides: Sequence[Side], arms: Sequence[Arm]) -> Iterator[str]:
    """A line on each of several runs."""
    if len(sides) == 1:
        return
    longest = max(len(side.name) for side in sides)
    for side in sides:
        deals_of = _deals_of(side)
        first = side.run.manifest["first_deal"]
        last = first + max(arm.deals for arm in arms if arm.side is side) - 1
        path = "" if side.path == side.name else f"{side.path}: "
        told = f"{side.rules.name}, {deals_of}, deals {first:,} to {last:,}"
        yield f"{side.name:<{longest}}  {path}{told}"


def _deals_of(side: Side) -> str:
    seed = f"seed {side.run.manifest['seed']}"
    deck = side.run.manifest["deck"]
    return f"{Path(deck['file']).name} ({seed})" if deck else seed


def _pairs(table: pl.DataFrame, width: int) -> str:
    rows = table.to_dicts()
    digits = percent_digits(table["difference_low"], table["difference_high"])
    confidence = rows[0]["confidence"]
    columns = {
        **difference_columns(table, confidence),
        _PAIRED: ["yes" if row["paired"] else "no" for row in rows],
        _DEALS: [_deals(row) for row in rows],
        _WON: [
            f"{100 * row['win_rate_a']:.{digits}f} {DASH} {100 * row['win_rate_b']:.{digits}f}"
            for row in rows
        ],
        _VARIANTS: [f"{row['variant_a']} {DASH} {row['variant_b']}" for row in rows],
    }
    if (table["variant_a"] == table["variant_b"]).all():
        del columns[_VARIANTS]
    return text_table(
        *_names(rows),
        columns,
        width,
        (_VARIANTS, _WON, _DEALS, _PAIRED),
        interval_heading(confidence),
    )


def _names(rows: Sequence[dict[str, Any]]) -> tuple[Heading, list[str]]:
    """Of the pairs; where all are compared with the same arm, its name is in the heading."""
    references = {row["arm_b"] for row in rows}
    if len(references) == 1 and len(rows) > 1:
        return ("compared with", *references), [row["arm_a"] for row in rows]
    return PAIR, [_pair(row) for row in rows]


def _pair(row: dict[str, Any]) -> str:
    return f"{row['arm_a']} {DASH} {row['arm_b']}"


def _deals(row: dict[str, Any]) -> str:
    a, b = row["deals_a"], row["deals_b"]
    return f"{a:,}" if a == b else f"{a:,} {DASH} {b:,}"


def _pairing_notes(sides: Sequence[Side], table: pl.DataFrame) -> Iterator[str]:
    """Of each two runs, once: whether their strategies were paired."""
    side_at = {side.path: side for side in sides}
    between_runs = table.filter(pl.col("run_a") != pl.col("run_b"))
    for (path_a, path_b), pairs in between_runs.group_by("run_a", "run_b", maintain_order=True):
        a, b = side_at[path_a], side_at[path_b]
        names = f"{a.name} {DASH} {b.name}"
        for (why,), of_why in pairs.group_by("why_not_paired", maintain_order=True):
            yield f"{names}: {f'not paired, {why}' if why else _paired_on(of_why)}"
        if a.rules.name == b.rules.name and not a.rules.same_rules(b.rules):
            yield f"{names}: both variants are called {a.rules.name}, but their rules differ"


def _paired_on(pairs: pl.DataFrame) -> str:
    deals = pairs["deals_a"].unique()
    if len(deals) > 1:
        return "paired on the deals that both have played"
    number = f"{deals[0]:,} deals" if deals[0] > 1 else "deal"
    return f"paired on the {number} that both have played"


def _program_notes(table: pl.DataFrame) -> Iterator[str]:
    changed = table.filter(pl.col("strategy_a") == pl.col("strategy_b"), ~pl.col("same_program"))
    for row in changed.iter_rows(named=True):
        yield f"{_pair(row)}: called the same, but their sources differ"


def _method_notes(sides: Sequence[Side], table: pl.DataFrame) -> Iterator[str]:
    unpaired = table.filter(~pl.col("paired"))
    if not unpaired["sequential"].all():
        yield (
            "not paired: as two independent win rates, by Newcombe's interval and the score test, "
            "or Fisher's where counts are small"
        )
    if table["sequential"].any():
        early = [side.name for side in sides if side.sequential]
        whose = "the run" if len(sides) == 1 else f"with {', '.join(early)}, which"
        rule = ", not paired by Bonferroni over both rates" if unpaired["sequential"].any() else ""
        yield (
            f"{whose} could stop when the data said so: the intervals and p-values hold at all "
            f"looks at the data at once{rule}"
        )


def _level_pairs(table: pl.DataFrame) -> Iterator[str]:
    """How many more deals the pairs whose interval holds 0 would take."""
    level = table.filter(pl.col("difference_low") <= 0, pl.col("difference_high") >= 0)
    if level.is_empty():
        return
    yield (
        "about so many more deals would separate them, four times in five, if the difference "
        "observed is the true one:"
    )
    for row in level.iter_rows(named=True):
        yield f"  {_pair(row)}: {_to_go(row)}"


def _to_go(row: dict[str, Any]) -> str:
    if row["difference"] == 0:
        return "no difference seen"
    if row["sequential"]:
        return "no estimate where a run could stop early"
    two_digits = f"{row['deals_to_go']:.1e}"
    return f"{float(two_digits):,.0f}"


def _wrapped(line: str, width: int) -> str:
    return textwrap.fill(
        line,
        max(width, _LEAST_WIDTH),
        subsequent_indent="    ",
        break_on_hyphens=False,
        break_long_words=False,
    )
