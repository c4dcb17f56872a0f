"""A strategy's functions as numba compiles them, and the strategy as a value of a type of its own.

The value carries nothing; its type's name holds digests of the source and of the constants in it,
so that code compiled for one version can never be taken for another's. Function pointers and
closures would cost speed, or never be found again in another process.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import njit, types
from numba.core import config
from numba.extending import (
    NativeValue,
    models,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from calcsim.game.play import FULL, SIMPLE

_DECISIONS: dict[str, Callable[..., Any]] = {}


class StrategyValue:
    """What the playing loop calls: `place` in the simple form, `move` in the full form."""

    def __init__(self, form: str, digest: str, decide: Callable[..., Any]) -> None:
        """A strategy of a form, its deciding function compiled with `compile_decision`."""
        self.form = form
        self.type_name = f"{form} strategy {digest}"
        self.decide = decide
        _DECISIONS[self.type_name] = decide

    def place(self, table: Any, card: Any, extras: tuple[Any, ...]) -> Any:
        """The waste for a card, in the interpreted engine."""
        return self.decide(table, card, *extras)

    move = place


class StrategyType(types.Type):
    """The type of a `StrategyValue` in compiled code."""

    def __init__(self, name: str, form: str) -> None:
        """`name` tells it apart from every other strategy and version."""
        super().__init__(name=name)
        self.form = form


register_model(StrategyType)(models.OpaqueModel)


@typeof_impl.register(StrategyValue)
def _type_of_strategy(value: StrategyValue, context: Any) -> StrategyType:
    return StrategyType(value.type_name, value.form)


@unbox(StrategyType)
def _unbox_strategy(strategy_type: Any, value: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())


def _compiled_decision(strategy: Any, table: Any, card: Any, extras: Any) -> Any:
    decide = _DECISIONS[strategy.name]

    def implementation(strategy: Any, table: Any, card: Any, extras: Any) -> Any:
        return decide(table, card, *extras)

    return implementation


for _method in ("place", "move"):
    overload_method(StrategyType, _method, jit_options={"forceinline": True})(_compiled_decision)

_CONSTANTS = (bool, int, float, complex, str, np.ndarray, np.generic)

FORMS = {"place": SIMPLE, "move": FULL}
"""The name of a strategy's deciding function tells its form."""


def compile_decision(function: FunctionType, files: set[str]) -> Any:
    """A deciding function ready to be compiled, and with it the plain functions that it calls.

    Args:
        function: one that numba has not seen yet.
        files: paths of the strategy's own files: functions from elsewhere stay as they are.
    """
    if config.DISABLE_JIT:
        return function
    decision = njit(boundscheck=True, forceinline=function.__name__ == "place")(function)
    _compile_called(function, files, {function: decision})
    return decision


def _compile_called(
    function: FunctionType, files: set[str], ready: dict[FunctionType, Any]
) -> None:
    """Put compiled functions in the place of those that a function calls, wherever they are named.

    One may be named in several modules: where it was defined, and where it was imported.
    """
    for namespace, name in _calls(function):
        called = namespace[name]
        if not isinstance(called, FunctionType) or called.__code__.co_filename not in files:
            continue
        if called not in ready:
            ready[called] = njit(boundscheck=True)(called)
            _compile_called(called, files, ready)
        namespace[name] = ready[called]


def frozen_digest(function: FunctionType, files: set[str]) -> str:
    """Digest of the values that numba takes into the code of a function and of what it calls.

    What a module-level name stands for is a constant to numba, though it may come from a data file:
    compiled code is only good for the same values.
    """
    digest = hashlib.sha256()
    reached, unread = {function}, [function]
    while unread:
        caller = unread.pop()
        digest.update(pickle.dumps([*_constants(caller.__defaults__)]))
        for namespace, name in _calls(caller):
            value = namespace[name]
            called = getattr(value, "py_func", value)
            if not isinstance(called, FunctionType):
                digest.update(pickle.dumps([name, *_constants(value)]))
            elif called.__code__.co_filename in files and called not in reached:
                reached.add(called)
                unread.append(called)
    return digest.hexdigest()


def _constants(value: Any) -> Iterator[Any]:
    """The numbers, texts and arrays that a value consists of."""
    if isinstance(value, tuple):
        for part in value:
            yield from _constants(part)
    elif isinstance(value, _CONSTANTS):
        yield value


def _calls(function: FunctionType) -> Iterator[tuple[dict[str, Any], str]]:
    """What a function may use: names in its own module and, for `module.name`, in others."""
    names = set(_names_in(function.__code__))
    modules = [v for v in function.__globals__.values() if isinstance(v, ModuleType)]
    for namespace in (function.__globals__, *map(vars, modules)):
        yield from ((namespace, name) for name in sorted(names & namespace.keys()))


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)
