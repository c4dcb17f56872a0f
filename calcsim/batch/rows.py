"""Rows of the table `deals`: one per deal."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from calcsim.batch.digest import RowDigest
from calcsim.engine.games import Deals, Games

if TYPE_CHECKING:
    import polars as pl

Columns = dict[str, NDArray[Any]]

# Columns are small numbers in dictionary pages; stronger compression gains nothing on them, and
# statistics of every page would cost a quarter of the writing time.
_PARQUET = {"compression": "zstd", "compression_level": 1, "statistics": False}


def deal_rows(deals: Deals, games: Games) -> Columns:
    """The columns of one strategy's games, each an array of the length of the deals.

    `deal` uint64, `won` bool, `foundation_cards` uint16, `direct_plays` uint8, and `foundation_1`
    to `foundation_F` uint8.
    """
    cards = games.foundations.sum(axis=0, dtype=np.uint16)
    numbers = np.arange(deals.count, dtype=np.uint64) + np.uint64(deals.first)
    return {
        "deal": numbers,
        "won": cards == len(games.tally) - 1,
        "foundation_cards": cards,
        "direct_plays": games.direct_plays,
    } | {f"foundation_{n}": column for n, column in enumerate(games.foundations, start=1)}


def row_schema(foundations: int) -> dict[str, np.dtype[Any]]:
    """The dtypes of those columns, for a number of foundations."""
    nothing = Games(
        np.zeros((foundations, 0), np.uint8), np.zeros(0, np.uint8), np.zeros(1, np.int64)
    )
    columns = deal_rows(Deals(seed=0, first=0, count=0), nothing)
    return {name: column.dtype for name, column in columns.items()}


def row_digest(columns: Columns) -> str:
    """The digest of rows, 64 hexadecimal digits."""
    digest = RowDigest({name: column.dtype for name, column in columns.items()})
    digest.update(columns)
    return digest.hexdigest()


def read_rows(path: Path) -> Columns | None:
    """The columns of a file of rows; None if it is not there, or no whole file of rows."""
    import polars as pl

    try:
        frame = pl.read_parquet(path, glob=False, hive_partitioning=False)
        return {column.name: column.to_numpy() for column in frame}
    except (OSError, pl.exceptions.PolarsError):
        return None


def write_parquet(frame: pl.DataFrame, file: BinaryIO) -> None:
    """Write a table the way all of a run's tables are written; raises `OSError` if it cannot."""
    whole = io.BytesIO()  # on its own way to a file, polars has other errors for a full disk
    frame.write_parquet(whole, **_PARQUET)  # type: ignore[arg-type]
    file.write(whole.getbuffer())
