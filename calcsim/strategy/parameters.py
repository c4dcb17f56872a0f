"""A strategy's parameters: what its function declares, and what a user asks for."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from calcsim.strategy.errors import StrategyError, UnknownStrategyError

Value = int | float | bool


@dataclass(frozen=True)
class Between:
    """The bounds of a parameter, both included: `release: Annotated[int, Between(1, 5)] = 3`."""

    low: float
    high: float

    def __repr__(self) -> str:
        """As it is written in a strategy's file."""
        return f"Between({self.low}, {self.high})"


_WIDEST = Between(-(2**62), 2**62)


@dataclass(frozen=True)
class Parameter:
    """A declared parameter.

    Attributes:
        name: as users type it.
        kind: int, float or bool.
        default: its value unless another is asked for.
        bounds: the least and the greatest value, or None.
    """

    name: str
    kind: type[Value]
    default: Value
    bounds: Between | None = None

    def parse(self, text: str) -> Value:
        """The value that a user's text means; raises `UnknownStrategyError` if it means none."""
        try:
            value = _PARSERS[self.kind](text)
        except ValueError:
            wanted = _KIND_NAMES[self.kind]
            raise UnknownStrategyError(
                f"parameter '{self.name}' takes {wanted}, not '{text}'"
            ) from None
        if not self.allows(value):
            bounds = self.bounds or _WIDEST
            raise UnknownStrategyError(
                f"parameter '{self.name}' takes {bounds.low} to {bounds.high}, not {text}"
            )
        return value

    def allows(self, value: Value) -> bool:
        """Whether a value is within bounds; infinity and "not a number" never are."""
        bounds = self.bounds or _WIDEST
        return bounds.low <= value <= bounds.high

    def describe(self) -> str:
        """`release=3 (1 to 5)`."""
        bounds = f" ({self.bounds.low} to {self.bounds.high})" if self.bounds else ""
        return f"{self.name}={format_value(self.default)}{bounds}"


def _parse_bool(text: str) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise ValueError(text)
    return words[text.lower()]


_PARSERS: dict[type[Value], Callable[[str], Value]] = {
    bool: _parse_bool,
    int: int,
    float: float,
}
_DEFAULT_KINDS: dict[type[Value], tuple[type[Value], ...]] = {
    bool: (bool,),
    int: (int,),
    float: (int, float),
}
_KIND_NAMES = {bool: "true or false", int: "a whole number", float: "a number"}


def format_value(value: Value) -> str:
    """A value as users type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def declared_arguments(function: Callable[..., Any]) -> tuple[list[Parameter], list[str]]:
    """What a strategy's function takes beside the table and the card.

    Returns:
        Its parameters (arguments with a default), and the names of its arrays (those without), both
        in the order of its signature, which has the arrays first as Python demands.

    Raises:
        StrategyError: the signature is not of that form.
    """
    try:
        signature = inspect.signature(function, eval_str=True)
    except Exception as error:  # whatever the text of an annotation raises
        raise StrategyError(f"{function.__name__}() has a wrong annotation: {error}") from None
    arguments = list(signature.parameters.values())
    if len(arguments) < 2:
        raise StrategyError(f"{function.__name__}() must take the table and the card")
    for argument in arguments:
        if argument.kind is not argument.POSITIONAL_OR_KEYWORD:
            raise StrategyError(f"{function.__name__}() cannot take '{argument}'")
    own = arguments[2:]
    parameters = [_declared(function, arg) for arg in own if arg.default is not arg.empty]
    return parameters, [arg.name for arg in own if arg.default is arg.empty]


def _declared(function: Callable[..., Any], argument: inspect.Parameter) -> Parameter:
    where = f"argument '{argument.name}' of {function.__name__}()"
    kind, bounds = type(argument.default), None
    if get_origin(argument.annotation) is Annotated:
        kind, *notes = get_args(argument.annotation)
        bounds = next((note for note in notes if isinstance(note, Between)), None)
    elif argument.annotation is not argument.empty:
        kind = argument.annotation
    if isinstance(kind, Between):
        raise StrategyError(f"{where} needs its kind too: Annotated[int, {kind}]")
    if kind not in _PARSERS:
        raise StrategyError(f"{where} must be an int, a float or a bool")
    if not isinstance(argument.default, _DEFAULT_KINDS[kind]):
        raise StrategyError(f"{where} has a default that is not {_KIND_NAMES[kind]}")
    parameter = Parameter(argument.name, kind, kind(argument.default), bounds)
    if not parameter.allows(parameter.default):
        raise StrategyError(f"{where} has a default outside its bounds, {bounds or _WIDEST}")
    return parameter


def chosen_values(parameters: Sequence[Parameter], asked: Mapping[str, str]) -> dict[str, Value]:
    """Every parameter's value: what is asked for, else its default.

    Raises:
        UnknownStrategyError: a name or a value is unknown; the text suggests what was meant.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in asked:
        if name not in known:
            has = ", ".join(known) if known else "none"
            raise UnknownStrategyError(
                f"there is no parameter '{name}'{did_you_mean(name, known)} (it has {has})"
            )
    return {
        name: parameter.parse(asked[name]) if name in asked else parameter.default
        for name, parameter in known.items()
    }


def did_you_mean(word: str, known: Mapping[str, Any] | Sequence[str]) -> str:
    """`; did you mean 'greedy'?`, or nothing if no known word is close."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
