"""Numbers as people write them."""

import click
import pytest

from calcsim.cli.options import Count

LARGEST = 2**64 - 1


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("1", 1),
        ("1000000", 10**6),
        ("1_000_000", 10**6),
        ("1_000", 1000),
        ("1e3", 1000),
        ("1e6", 10**6),
        ("1.5e3", 1500),
        ("1k", 1000),
        ("1K", 1000),
        ("1M", 10**6),
        ("10M", 10**7),
        ("1.5M", 1_500_000),
        ("2G", 2 * 10**9),
        ("007", 7),
        (str(LARGEST), LARGEST),
    ],
)
def test_the_ways_to_write_a_number(words, number):
    assert Count(1).convert(words, None, None) == number


@pytest.mark.parametrize(
    "words",
    [
        "",
        "abc",
        "1.5",
        "1e",
        "e3",
        "k",
        "1kk",
        "1e3k3",
        "1,000",
        "0x10",
        "1 000",
        "٣",
        "inf",
        "nan",
    ],
)
def test_what_is_no_whole_number(words):
    with pytest.raises(click.BadParameter, match="is no whole number; write 1000000, 1e6 or 1M"):
        Count(1).convert(words, None, None)


@pytest.mark.parametrize(
    "words", ["0", "-1", "1e20", "20000000000G", "1e400", str(2**64), "-" + "9" * 30]
)
def test_what_is_out_of_range(words):
    with pytest.raises(click.BadParameter, match=f"out of range: 1 to {LARGEST}"):
        Count(1).convert(words, None, None)


@pytest.mark.parametrize("words", ["9" * 10_000, "1e" + "9" * 30, "1." + "0" * 10_000 + "1"])
def test_no_number_takes_long(words):
    with pytest.raises(click.BadParameter):
        Count(1).convert(words, None, None)


def test_least_numbers_differ():
    assert Count(0).convert("0", None, None) == 0
