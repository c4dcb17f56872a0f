"""What a strategy file says of a variant: that it does not play it, and arrays of its own.

Both are optional functions of the file, called with the variant and those of the strategy's
parameters that they name.
"""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from calcsim.game.variant import Variant
from calcsim.strategy.errors import DoesNotPlayError, StrategyError, strategy_traceback
from calcsim.strategy.parameters import did_you_mean

if TYPE_CHECKING:
    from calcsim.strategy.strategy import Strategy

ARRAYS = "arrays"
"""`arrays(variant, ...)` returns a dict of numpy arrays, each named as the argument it is for."""

WHY_NOT = "why_not"
"""`why_not(variant, ...)` returns a line on why the variant is not played, or None if it is."""


def check_plays(strategy: Strategy, module: ModuleType, variant: Variant) -> None:
    """Raise `DoesNotPlayError` with the strategy's own reason if it does not play a variant."""
    if not hasattr(module, WHY_NOT):
        return
    reason = _call(strategy, module, WHY_NOT, variant)
    if reason is None:
        return
    if not isinstance(reason, str) or not reason.strip():
        raise StrategyError(
            f"{WHY_NOT}() of '{strategy.label}' must return a line of text or None, not {reason!r}"
        )
    line = " ".join(reason.split())
    raise DoesNotPlayError(f"'{strategy.label}' does not play {variant.name}: {line}")


def own_arrays(
    strategy: Strategy, module: ModuleType, variant: Variant, names: list[str]
) -> dict[str, NDArray[Any]]:
    """The arrays of a strategy's own that its arguments ask for, in their order.

    Raises:
        StrategyError: its code raises, or what it returns are not these arrays.
    """
    if not names:
        return {}
    made = _call(strategy, module, ARRAYS, variant)
    if not isinstance(made, dict):
        raise StrategyError(f"{ARRAYS}() of '{strategy.label}' must return a dict, not {made!r}")
    for name in names:
        if name not in made:
            raise StrategyError(f"{ARRAYS}() of '{strategy.label}' returns no array '{name}'")
    return {name: _as_array(strategy, name, made[name]) for name in names}


def _as_array(strategy: Strategy, name: str, value: Any) -> NDArray[Any]:
    what = f"what {ARRAYS}() of '{strategy.label}' returns as '{name}'"
    try:
        array: NDArray[Any] = np.asanyarray(value)
    except ValueError as error:
        raise StrategyError(f"{what} is no array: {error}") from None
    if array.dtype.hasobject:
        raise StrategyError(f"{what} is an array of Python objects: make it one of numbers")
    return array


def _call(strategy: Strategy, module: ModuleType, function: str, variant: Variant) -> Any:
    """What one of these functions of a strategy's file answers."""
    called = getattr(module, function)
    if not callable(called):
        raise StrategyError(f"'{function}' of '{strategy.label}' must be a function")
    chosen = dict(zip((p.name for p in strategy.parameters), strategy.values, strict=True))
    wanted = list(inspect.signature(called).parameters)[1:]
    for name in wanted:
        if name not in chosen:
            raise StrategyError(
                f"{function}() of '{strategy.label}' takes '{name}', which is no parameter of the "
                f"strategy{did_you_mean(name, chosen)}"
            )
    try:
        return called(variant, **{name: chosen[name] for name in wanted})
    except Exception as raised:
        shown = strategy_traceback(raised, strategy.source.main.path)
        raise StrategyError(f"{function}() of '{strategy.label}' failed:\n{shown}") from None
