"""A strategy's functions as numba compiles them, and the strategy as a value of a type of its own.

The value carries nothing; its type's name holds digests of the source and of the constants in it,
so that code compiled for one version can never be taken for another's. Function pointers and
closures would cost speed, or never be found again in another process.
"""

from __future__ import annotations

import dis
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
from calcsim.strategy.errors import StrategyError

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

    Raises:
        StrategyError: a function calls itself, directly or through others.
    """
    _refuse_recursion(function, files, ())
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
    for namespace, name in _uses(function):
        called = namespace[name]
        if not isinstance(called, FunctionType) or called.__code__.co_filename not in files:
            continue
        if called not in ready:
            ready[called] = njit(boundscheck=True)(called)
            _compile_called(called, files, ready)
        namespace[name] = ready[called]


def _refuse_recursion(
    function: FunctionType, files: set[str], callers: tuple[FunctionType, ...]
) -> None:
    """Raise for a function that calls itself: its code, loaded from disk, would crash the process.

    See https://github.com/numba/numba/issues/6061.
    """
    if function in callers:
        raise StrategyError(
            f"{function.__name__}() calls itself, which cannot be compiled to be kept: write it as "
            "a loop"
        )
    for namespace, name in _uses(function):
        called = _own_function(namespace[name], files)
        if called is not None:
            _refuse_recursion(called, files, (*callers, function))


def frozen_digest(function: FunctionType, files: set[str]) -> str:
    """Digest of the values that numba takes into the code of a function and of what it calls.

    What a module-level name stands for is a constant to numba, though it may come from a data file:
    compiled code is only good for the same values.
    """
    digest = hashlib.sha256()
    reached, unread = {function}, [function]
    while unread:
        caller = unread.pop()
        cells = tuple(cell.cell_contents for cell in caller.__closure__ or ())
        digest.update(pickle.dumps([*_constants((caller.__defaults__, cells))]))
        for namespace, name in _uses(caller):
            digest.update(pickle.dumps([name, *_constants(namespace[name])]))
            called = _own_function(namespace[name], files)
            if called is not None and called not in reached:
                reached.add(called)
                unread.append(called)
    return digest.hexdigest()


def _own_function(value: Any, files: set[str]) -> FunctionType | None:
    """A function of the strategy's own files, whoever compiles it; None for anything else."""
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType) and function.__code__.co_filename in files:
        return function
    return None


def _constants(value: Any) -> Iterator[Any]:
    """The numbers, texts and arrays that a value consists of."""
    if isinstance(value, tuple):
        for part in value:
            yield from _constants(part)
    elif isinstance(value, _CONSTANTS):
        yield value


def _uses(function: FunctionType) -> Iterator[tuple[dict[str, Any], str]]:
    """The names that a function uses: of its own module and, as `module.name`, of others."""
    own, attributes = _names_in(function.__code__)
    modules = [v for v in function.__globals__.values() if isinstance(v, ModuleType)]
    yield from ((function.__globals__, name) for name in sorted(own & function.__globals__.keys()))
    for namespace in map(vars, modules):
        yield from ((namespace, name) for name in sorted(attributes & namespace.keys()))


def _names_in(code: CodeType) -> tuple[set[str], set[str]]:
    """Names of globals, and of attributes, in a function and in those defined inside it."""
    own, attributes = set(), set()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            own.add(instruction.argval)
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            attributes.add(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner_own, inner_attributes = _names_in(constant)
            own |= inner_own
            attributes |= inner_attributes
    return own, attributes
