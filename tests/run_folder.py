"""A run directory made by hand, with labels and numbers that are hard on a format."""

import json
from urllib.parse import quote

import polars as pl

from calcsim.batch.digest import content_digest

LARGEST = 2**64 - 1
LABELS = ["greedy", 'a|b <i>"q"</i>, ü & *_x_*', "=1+1", "path/to\\file.py:depth=3"]

WIN_RATES = pl.DataFrame(
    {
        "strategy": LABELS,
        "seed": pl.Series([LARGEST] * 4, dtype=pl.UInt64),
        "deals": pl.Series([3] * 4, dtype=pl.UInt64),
        "wins": pl.Series([3, 2**32, 10**15 - 1, 7], dtype=pl.UInt64),
        "win_rate": [0.1 + 0.2, 1 / 3, 1e-7, 1.0],
        "confidence": [0.95] * 4,
    }
)
FOUNDATION_COUNTS = pl.DataFrame(
    {
        "strategy": LABELS,
        "foundation_cards": pl.Series([0, 51, 52, 104], dtype=pl.UInt16),
        "share": [0.0, 0.25, 0.25, 0.5],
    }
)
HEAD_TO_HEAD = pl.DataFrame(
    {
        "strategy_a": LABELS,
        "strategy_b": LABELS[::-1],
        "difference": [-0.25, 0.0, -1e-9, 0.25],
        "p_value": [0.5, 1.0, 1e-300, 0.0],
    }
)
DEALS = pl.DataFrame(
    {
        "deal": pl.Series([LARGEST - 2, LARGEST - 1, LARGEST], dtype=pl.UInt64),
        "won": [True, False, True],
        "foundation_1": pl.Series([13, 2, 13], dtype=pl.UInt8),
    }
)
TABLES = {
    "win_rates": WIN_RATES,
    "foundation_counts": FOUNDATION_COUNTS,
    "head_to_head": HEAD_TO_HEAD,
    "deals": pl.concat(
        DEALS.select(pl.lit(label).alias("strategy"), pl.all()) for label in sorted(LABELS)
    ),
}
"""What `calcsim export` reads from it."""


def write_run(folder):
    """Make the directory."""
    for label in LABELS:
        rows = folder / "deals" / f"strategy={quote(label, safe='')}"
        rows.mkdir(parents=True)
        DEALS[:2].write_parquet(rows / f"{LARGEST - 2}-{LARGEST - 1}.parquet")
        DEALS[2:].write_parquet(rows / f"{LARGEST}-{LARGEST}.parquet")
    for name in ("win_rates", "foundation_counts", "head_to_head"):
        TABLES[name].write_parquet(folder / f"{name}.parquet")
    digests = {name: content_digest(TABLES[name]) for name in TABLES if name != "deals"}
    manifest = {"first_deal": LARGEST - 2, "digests": digests | {"deals": {}}}
    (folder / "run.json").write_text(json.dumps(manifest))
    return folder


def replace_table(folder, name, table):
    """Put another table in its place, as if the run had written it."""
    table.write_parquet(folder / f"{name}.parquet")
    file = folder / "run.json"
    manifest = json.loads(file.read_text())
    manifest["digests"][name] = content_digest(table)
    file.write_text(json.dumps(manifest))
