"""Who won the same deals, counted from rows per deal, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calcsim.analysis.run import RunError
from calcsim.batch.duels import CommonDeals
from calcsim.batch.row_folders import RowFile

BLOCK = 2**19
"""Deals that are held at a time; float32 counts so many exactly."""


def count_common_deals(strategies: Sequence[Sequence[RowFile]]) -> CommonDeals:
    """Count them block by block of deals, so that memory holds one block of each strategy.

    Args:
        strategies: the files of each one's rows.

    Raises:
        RunError: a file cannot be read.
    """
    counts = np.zeros((3, len(strategies), len(strategies)), dtype=np.int64)
    blocks = Counter(chain.from_iterable(map(_blocks_of, strategies)))
    for block in sorted(block for block, played in blocks.items() if played > 1):
        played, won = np.zeros((2, len(strategies), BLOCK), dtype=np.float32)
        for strategy, files in enumerate(strategies):
            for file in files:
                deals, wins = _read(file, block * BLOCK)
                played[strategy, deals] = 1
                won[strategy, deals] = wins
        counts += np.array([played @ played.T, won @ played.T, won @ won.T]).astype(np.int64)
    return CommonDeals(*counts)


def _blocks_of(files: Sequence[RowFile]) -> set[int]:
    return {block for file in files for block in range(file.first // BLOCK, file.last // BLOCK + 1)}


def _read(file: RowFile, start: int) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Deals of a file that are in the block from `start`, counted from there, and which are won."""
    first, last = max(file.first, start), min(file.last, start + BLOCK - 1)
    if first > last:
        return np.zeros(0, np.uint64), np.zeros(0, np.bool_)
    rows = pl.scan_parquet(file.path, glob=False, hive_partitioning=False)
    try:
        part = rows.slice(first - file.first, last - first + 1).select("deal", "won").collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        what, _, _ = str(error).partition("\n")
        raise RunError(f"{file.path} cannot be read: {what}") from None
    numbers = part["deal"].to_numpy()
    in_order = np.uint64(first) + np.arange(last - first + 1, dtype=np.uint64)
    if not np.array_equal(numbers, in_order):
        raise RunError(f"{file.path} does not hold the deals that its name tells")
    return numbers - np.uint64(start), part["won"].to_numpy()
