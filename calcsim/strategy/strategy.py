"""A strategy: found, read, checked for form and given its parameters, ready to play a variant."""

from __future__ import annotations

import hashlib
import inspect
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calcsim.game.variant import Variant
from calcsim.strategy.catalogue import FILE, PLUGIN, find
from calcsim.strategy.compiled import FORMS, StrategyValue, compile_decision, frozen_digest
from calcsim.strategy.errors import StrategyError, UnknownStrategyError, strategy_traceback
from calcsim.strategy.of_variant import ARRAYS, check_plays, own_arrays
from calcsim.strategy.parameters import (
    Parameter,
    Value,
    chosen_values,
    declared_arguments,
    format_value,
)
from calcsim.strategy.source import Source, read_source


@dataclass(frozen=True)
class Strategy:
    """A strategy with its parameters. It pickles as its source and is run anew where it arrives.

    Attributes:
        name: what users call it.
        origin: where it was found: built-in, plug-in or file.
        words: what finds it again: its name or its path.
        source: its code.
        form: `SIMPLE` or `FULL`.
        advice: the docstring of its file.
        parameters: what it declares, in the order of its function's signature.
        values: the value of each of them.
    """

    name: str
    origin: str
    words: str
    source: Source
    form: str
    advice: str
    parameters: tuple[Parameter, ...]
    values: tuple[Value, ...]

    @cached_property
    def changed(self) -> dict[str, Value]:
        """The parameters that differ from their defaults."""
        pairs = zip(self.parameters, self.values, strict=True)
        return {p.name: value for p, value in pairs if value != p.default}

    @property
    def label(self) -> str:
        """Its name in tables: with the parameters that differ from their defaults."""
        return self.name + self._suffix

    @property
    def spec(self) -> str:
        """The words that load it again."""
        return self.words + self._suffix

    @property
    def _suffix(self) -> str:
        changed = ",".join(f"{name}={format_value(v)}" for name, v in self.changed.items())
        return f":{changed}" if changed else ""

    @property
    def summary(self) -> str:
        """The first line of its advice."""
        return self.advice.partition("\n")[0]


@dataclass(frozen=True)
class StrategyPlayer:
    """A strategy made ready to play one variant: an `engine.games.Player`.

    Attributes:
        value: what the playing loop takes as the strategy.
        extras: its arrays and parameters.
        draw_key: the first 8 bytes of SHA-256 of the label (little-endian), never 0.
        code_key: its module's name, and the digests of its source and of the values that are
            constants in its code.
        arrays_sha256: digest of the content of each of its arrays.
    """

    value: StrategyValue
    extras: tuple[Any, ...]
    draw_key: int
    code_key: str
    arrays_sha256: dict[str, str] = field(default_factory=dict)


def load_strategy(words: str) -> Strategy:
    """Load the strategy that a user's words mean: `NAME` or `NAME:parameter=value,...`.

    Raises:
        UnknownStrategyError: a name or a value is unknown.
        StrategyError: the file is no strategy.
    """
    name, asked = _split(words)
    found = find(name)
    source = read_source(found.path(), found.location if found.origin == PLUGIN else None)
    module = _run(source)
    function = _deciding_function(module)
    try:
        parameters, arrays = declared_arguments(function)
    except StrategyError as error:
        raise StrategyError(f"{source.main.path}: {error}") from None
    if arrays and not callable(getattr(module, ARRAYS, None)):
        raise StrategyError(
            f"{source.main.path}: argument '{arrays[0]}' of {function.__name__}() needs a default, "
            f"or a function {ARRAYS}(variant) that supplies it"
        )
    return Strategy(
        name=found.name,
        origin=found.origin,
        words=found.location if found.origin == FILE else found.name,
        source=source,
        form=FORMS[function.__name__],
        advice=inspect.cleandoc(module.__doc__ or ""),
        parameters=tuple(parameters),
        values=tuple(chosen_values(parameters, asked).values()),
    )


@lru_cache(maxsize=256)
def ready_player(strategy: Strategy, variant: Variant) -> StrategyPlayer:
    """The `new_player` of a strategy and a variant, the same one each time."""
    return new_player(strategy, variant)


def new_player(strategy: Strategy, variant: Variant) -> StrategyPlayer:
    """Run a strategy's source and make it ready to play a variant.

    Raises:
        StrategyError: it does not play the variant, its own code raises, or its arrays are none.
    """
    module = _run(strategy.source)
    function = _deciding_function(module)
    files = {file.path for file in (strategy.source.main, *strategy.source.siblings)}
    _, array_names = declared_arguments(function)
    check_plays(strategy, module, variant)
    arrays = own_arrays(strategy, module, variant, array_names)
    source = strategy.source
    # The module's name too: what numba keeps refers to it, so a renamed file is another's.
    code_key = f"{source.main.module} {source.digest} {frozen_digest(function, files)}"
    label_digest = hashlib.sha256(strategy.label.encode()).digest()
    return StrategyPlayer(
        value=StrategyValue(strategy.form, code_key, compile_decision(function, files)),
        extras=(*arrays.values(), *strategy.values),
        draw_key=int.from_bytes(label_digest[:8], "little") or 1,
        code_key=code_key,
        arrays_sha256={name: _content_sha256(array) for name, array in arrays.items()},
    )


def _split(words: str) -> tuple[str, dict[str, str]]:
    name, colon, settings = words.rpartition(":")
    if not colon or "=" not in settings:
        return words, {}
    asked = {}
    for setting in settings.split(","):
        parameter, equals, value = setting.partition("=")
        if not equals or not parameter or not value:
            raise UnknownStrategyError(
                f"'{setting}' in '{words}' is no parameter: write {name}:parameter=value"
            )
        if parameter.strip() in asked:
            raise UnknownStrategyError(f"'{words}' sets parameter '{parameter.strip()}' twice")
        asked[parameter.strip()] = value.strip()
    return name, asked


def _run(source: Source) -> ModuleType:
    try:
        return source.execute()
    except (Exception, SystemExit) as raised:
        shown = strategy_traceback(raised, source.main.path)
        raise StrategyError(f"{source.main.path} cannot be run:\n{shown}") from None


def _deciding_function(module: ModuleType) -> FunctionType:
    found = [getattr(module, name) for name in FORMS if hasattr(module, name)]
    functions = [getattr(function, "py_func", function) for function in found]
    if len(functions) != 1 or not isinstance(functions[0], FunctionType):
        has = "has both: leave one" if len(functions) > 1 else "has neither"
        raise StrategyError(
            f"{module.__file__} must define a function place(table, card) or "
            f"move(table, card), and {has}"
        )
    if functions[0].__name__ not in FORMS:
        raise StrategyError(f"{module.__file__} must define its function with 'def'")
    return functions[0]


def _content_sha256(array: NDArray[Any]) -> str:
    digest = hashlib.sha256(f"{array.dtype.str} {array.shape}\n".encode())
    digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
