"""Copies of the table, for strategies that look ahead."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

from calcsim.game.table import empty_tables, table_dtype
from calcsim.game.variant import Variant


def blank_tables(variant: Variant, count: int) -> Any:
    """Room for copies of a variant's table, for a strategy's `arrays(variant)` to return.

    Returns:
        A record array of length `count`; each of its records takes what `copy_table` writes.
    """
    dtype = table_dtype(len(variant.foundations), variant.wastes, variant.stock_size)
    return empty_tables(dtype, count)


def _interpreted_copy_table(target: Any, table: Any) -> None:
    for field in target.dtype.names:
        target[field] = table[field]


@intrinsic
def _compiled_copy_table(typing_context: Any, target: Any, table: Any) -> Any:
    size = target.size

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, of = arguments
        cgutils.raw_memcpy(builder, to, of, ir.Constant(ir.IntType(64), size), 1)
        return context.get_dummy_value()

    if getattr(table, "table", table) != target:
        return None  # another shape of table: no such function
    return types.none(target, table), generate


copy_table = _interpreted_copy_table if config.DISABLE_JIT else _compiled_copy_table
"""`copy_table(target, table)`: make a record of `blank_tables` the same as a table.

The copy can be played on with `make_move`. Its random draws go on where the table's are."""
