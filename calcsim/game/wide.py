"""Two machine instructions on 64-bit words that neither numpy nor numba offers."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

_MASK = (1 << 64) - 1


def _interpreted_multiply_wide(a: Any, b: Any) -> tuple[np.uint64, np.uint64]:
    product = int(a) * int(b)
    return np.uint64(product >> 64), np.uint64(product & _MASK)


@intrinsic
def _compiled_multiply_wide(typing_context: Any, a: Any, b: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        a_wide, b_wide = (builder.zext(argument, wide) for argument in arguments)
        product = builder.mul(a_wide, b_wide)
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        low = builder.trunc(product, ir.IntType(64))
        return context.make_tuple(builder, signature.return_type, (high, low))

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), generate


multiply_wide = _interpreted_multiply_wide if config.DISABLE_JIT else _compiled_multiply_wide
"""`(high, low)`, the two uint64 halves of the product of two uint64 numbers."""


@intrinsic
def _compiled_lowest_bit(typing_context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


def _interpreted_lowest_bit(bits: Any) -> int:
    return (int(bits) & -int(bits)).bit_length() - 1


lowest_bit = _interpreted_lowest_bit if config.DISABLE_JIT else _compiled_lowest_bit
"""The position of the lowest 1 bit of a uint64 that is not 0."""
