"""Parameters: what a function declares, and what a user asks for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

import pytest

from calcsim.strategy.errors import StrategyError, UnknownStrategyError
from calcsim.strategy.parameters import (
    Between,
    Parameter,
    chosen_values,
    declared_arguments,
    did_you_mean,
    format_value,
)

RELEASE = Parameter("release", int, 3, Between(0, 5))
WEIGHT = Parameter("weight", float, 0.5)
BOLD = Parameter("bold", bool, False)


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (RELEASE, "0", 0),
        (RELEASE, "5", 5),
        (WEIGHT, "-2.5e3", -2500.0),
        (WEIGHT, "2", 2.0),
        (BOLD, "Yes", True),
        (BOLD, "1", True),
        (BOLD, "FALSE", False),
        (BOLD, "no", False),
    ],
)
def test_text_becomes_a_value_of_the_kind(parameter: Parameter, text: str, value: Any) -> None:
    parsed = parameter.parse(text)
    assert parsed == value
    assert type(parsed) is parameter.kind


@pytest.mark.parametrize(
    ("parameter", "text", "wanted"),
    [
        (RELEASE, "two", "parameter 'release' takes a whole number, not 'two'"),
        (RELEASE, "2.5", "parameter 'release' takes a whole number, not '2.5'"),
        (WEIGHT, "heavy", "parameter 'weight' takes a number, not 'heavy'"),
        (BOLD, "2", "parameter 'bold' takes true or false, not '2'"),
        (RELEASE, "6", "parameter 'release' takes 0 to 5, not 6"),
        (RELEASE, "-1", "parameter 'release' takes 0 to 5, not -1"),
    ],
)
def test_text_that_is_no_value_is_refused(parameter: Parameter, text: str, wanted: str) -> None:
    with pytest.raises(UnknownStrategyError) as raised:
        parameter.parse(text)
    assert str(raised.value) == wanted


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e300"])
def test_numbers_without_bounds_are_finite_all_the_same(text: str) -> None:
    with pytest.raises(UnknownStrategyError, match="parameter 'weight' takes"):
        WEIGHT.parse(text)


def test_a_whole_number_that_no_machine_word_holds_is_refused() -> None:
    with pytest.raises(UnknownStrategyError, match="takes"):
        Parameter("depth", int, 1).parse(str(2**63))


def test_descriptions_show_default_and_bounds() -> None:
    assert RELEASE.describe() == "release=3 (0 to 5)"
    assert WEIGHT.describe() == "weight=0.5"
    assert BOLD.describe() == "bold=false"


@pytest.mark.parametrize("value", [0.1, 1e-9, 1e16, 2.0, -3.25])
def test_a_formatted_number_is_parsed_to_the_same(value: float) -> None:
    assert WEIGHT.parse(format_value(value)) == value


class TestDeclaredArguments:
    def test_arrays_come_before_parameters(self) -> None:
        def place(table, card, weights, biases, depth=2, rate: float = 1, bold=True): ...

        parameters, arrays = declared_arguments(place)
        assert arrays == ["weights", "biases"]
        assert parameters == [
            Parameter("depth", int, 2),
            Parameter("rate", float, 1.0),
            Parameter("bold", bool, True),
        ]
        assert type(parameters[1].default) is float

    def test_bounds_are_those_of_the_annotation(self) -> None:
        def place(table, card, release: Annotated[int, "Kings", Between(0, 5)] = 3): ...

        parameters, _ = declared_arguments(place)
        assert parameters == [RELEASE]

    def test_neither_has_to_be_there(self) -> None:
        def move(table, card): ...

        assert declared_arguments(move) == ([], [])

    @pytest.mark.parametrize("default", [-1, 6])
    def test_a_default_outside_its_own_bounds_is_refused(self, default: int) -> None:
        def place(table, card, release: Annotated[int, Between(0, 5)] = default): ...

        with pytest.raises(StrategyError, match=r"'release' .* has a default outside"):
            declared_arguments(place)

    @pytest.mark.parametrize("default", [math.inf, math.nan])
    def test_a_default_that_is_not_finite_is_refused(self, default: float) -> None:
        def place(table, card, weight=default): ...

        with pytest.raises(StrategyError, match="outside"):
            declared_arguments(place)


def wrong_kind(table, card, name="x"): ...
def wrong_annotation(table, card, name: str = 3): ...
def fraction_for_a_whole_number(table, card, depth: int = 2.5): ...
def number_for_a_yes_or_no(table, card, bold: bool = 2): ...
def unknown_annotation(table, card, depth: Whole = 2): ...  # noqa: F821
def no_card(table): ...
def any_number(table, card, *rest): ...
def any_words(table, card, **rest): ...
def by_name_alone(table, card, *, depth=2): ...


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (wrong_kind, "argument 'name' of wrong_kind() must be an int, a float or a bool"),
        (wrong_annotation, "'name' of wrong_annotation() must be an int, a float or a bool"),
        (fraction_for_a_whole_number, "has a default that is not a whole number"),
        (number_for_a_yes_or_no, "has a default that is not true or false"),
        (unknown_annotation, "has a wrong annotation: name 'Whole' is not defined"),
        (no_card, "no_card() must take the table and the card"),
        (any_number, "any_number() cannot take '*rest'"),
        (any_words, "any_words() cannot take '**rest'"),
        (by_name_alone, "by_name_alone() cannot take 'depth=2'"),
    ],
)
def test_other_signatures_are_refused(function: Callable[..., Any], why: str) -> None:
    with pytest.raises(StrategyError) as raised:
        declared_arguments(function)
    assert why in str(raised.value)


class TestChosenValues:
    def test_what_is_not_asked_for_keeps_its_default(self) -> None:
        chosen = chosen_values([RELEASE, WEIGHT, BOLD], {"weight": "2"})
        assert list(chosen.items()) == [("release", 3), ("weight", 2.0), ("bold", False)]

    def test_an_unknown_name_brings_a_suggestion(self) -> None:
        with pytest.raises(UnknownStrategyError) as raised:
            chosen_values([RELEASE, WEIGHT], {"relase": "2"})
        wanted = "there is no parameter 'relase'; did you mean 'release'? (it has release, weight)"
        assert str(raised.value) == wanted

    def test_a_strategy_without_parameters_says_so(self) -> None:
        with pytest.raises(UnknownStrategyError, match=r"'depth' \(it has none\)"):
            chosen_values([], {"depth": "2"})


def test_only_a_close_word_is_suggested() -> None:
    assert did_you_mean("gredy", ["greedy", "random"]) == "; did you mean 'greedy'?"
    assert did_you_mean("zzz", ["greedy", "random"]) == ""
