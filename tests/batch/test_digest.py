"""Digests: the same for the same content, another for any other."""

from __future__ import annotations

import hashlib
import io
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calcsim.batch.digest import RowDigest, content_digest

SCHEMA = {
    "deal": np.dtype(np.uint64),
    "won": np.dtype(np.bool_),
    "foundation_cards": np.dtype(np.uint16),
    "direct_plays": np.dtype(np.uint8),
}


def deal_rows(rows: int, seed: int = 1) -> dict[str, NDArray[Any]]:
    generator = np.random.default_rng(seed)
    return {
        "deal": generator.integers(0, 2**64, rows, dtype=np.uint64),
        "won": generator.random(rows) < 0.3,
        "foundation_cards": generator.integers(0, 105, rows, dtype=np.uint16),
        "direct_plays": generator.integers(0, 49, rows, dtype=np.uint8),
    }


def digest_in_blocks(columns: dict[str, NDArray[Any]], cuts: list[int]) -> str:
    digest = RowDigest(SCHEMA)
    edges = [0, *sorted(cuts), len(columns["deal"])]
    for first, end in pairwise(edges):
        digest.update({name: values[first:end] for name, values in columns.items()})
    return digest.hexdigest()


@given(st.lists(st.integers(0, 100), max_size=6))
def test_cuts_do_not_matter(cuts: list[int]) -> None:
    columns = deal_rows(100)
    assert digest_in_blocks(columns, cuts) == digest_in_blocks(columns, [])


@pytest.mark.parametrize("rows", [0, 1, 1000])
def test_a_frame_has_the_digest_of_its_columns(rows: int) -> None:
    columns = deal_rows(rows)
    digest = digest_in_blocks(columns, [])
    frame = pl.DataFrame(columns)
    assert content_digest(frame) == digest
    in_chunks = pl.concat([frame[: rows // 2], frame[rows // 2 :]], rechunk=False)
    assert content_digest(in_chunks) == digest


def test_a_frame_with_floats_has_the_digest_of_its_columns() -> None:
    shares = np.array([0.1, 1 / 3, -2e300])
    digest = RowDigest({"share": shares.dtype})
    digest.update({"share": shares})
    assert content_digest(pl.DataFrame({"share": shares})) == digest.hexdigest()


def test_the_format_is_the_one_written_down() -> None:
    def entry(name: bytes, dtype: bytes, values: bytes) -> bytes:
        lengths = [len(text).to_bytes(8, "little") for text in (name, dtype)]
        return lengths[0] + name + lengths[1] + dtype + hashlib.sha256(values).digest()

    frame = pl.DataFrame(
        {"name": ["é", ""], "cards": [258, 1], "won": [True, False], "share": [0.25, 1 / 3]},
        schema_overrides={"cards": pl.UInt16},
    )
    expected = hashlib.sha256(
        entry(b"name", b"str", bytes([2, 0, 0, 0, 0, 0, 0, 0]) + "é".encode() + bytes(8))
        + entry(b"cards", b"uint16", bytes([2, 1, 1, 0]))
        + entry(b"won", b"bool", bytes([1, 0]))
        + entry(b"share", b"float64", b"0.25\n0.333333333333\n")
    )
    assert content_digest(frame) == expected.hexdigest()


def test_a_digest_goes_on_after_it_was_read() -> None:
    columns = deal_rows(10)
    digest = RowDigest(SCHEMA)
    digest.update({name: values[:4] for name, values in columns.items()})
    early = digest.hexdigest()
    digest.update({name: values[4:] for name, values in columns.items()})
    assert digest.hexdigest() == digest_in_blocks(columns, []) != early


def test_memory_layout_and_byte_order_do_not_matter() -> None:
    columns = deal_rows(50)
    table = np.zeros(50, dtype=[(name, dtype) for name, dtype in SCHEMA.items()])
    for name, values in columns.items():
        table[name] = values
    strided = {name: table[name] for name in reversed(SCHEMA)}
    foreign = {name: values.astype(values.dtype.newbyteorder()) for name, values in columns.items()}
    assert digest_in_blocks(strided, [7]) == digest_in_blocks(columns, [])
    assert digest_in_blocks(foreign, [7]) == digest_in_blocks(columns, [])


def test_a_file_between_does_not_matter() -> None:
    frame = pl.DataFrame(deal_rows(100))
    file = io.BytesIO()
    frame.write_parquet(file)
    file.seek(0)
    assert content_digest(pl.read_parquet(file)) == content_digest(frame)


FRAME = pl.DataFrame(
    {
        "strategy": ["a", "b", "c"],
        "wins": [1, 2, 3],
        "won": [True, False, True],
        "share": [0.1, 0.2, 0.7],
    }
)
OTHERS = {
    "an integer": FRAME.with_columns(wins=pl.Series([1, 2, 4])),
    "a boolean": FRAME.with_columns(won=pl.Series([True, True, True])),
    "a string": FRAME.with_columns(strategy=pl.Series(["a", "b", "d"])),
    "where a string ends": FRAME.with_columns(strategy=pl.Series(["a", "bc", ""])),
    "a float's eleventh digit": FRAME.with_columns(share=pl.Series([0.1, 0.2, 0.70000000001])),
    "a name": FRAME.rename({"wins": "losses"}),
    "an integer's width": FRAME.with_columns(pl.col("wins").cast(pl.UInt32)),
    "an integer's sign": FRAME.with_columns(pl.col("wins").cast(pl.UInt64)),
    "a boolean as a number": FRAME.with_columns(pl.col("won").cast(pl.UInt8)),
    "a number as a string": FRAME.with_columns(pl.col("wins").cast(pl.String)),
    "the order of columns": FRAME.select(reversed(FRAME.columns)),
    "the order of rows": FRAME.reverse(),
    "a column less": FRAME.drop("won"),
    "a row less": FRAME.head(2),
    "a row more": pl.concat([FRAME, FRAME.head(1)]),
    "no rows": FRAME.clear(),
}


@pytest.mark.parametrize("change", OTHERS)
def test_any_change_is_seen(change: str) -> None:
    assert content_digest(OTHERS[change]) != content_digest(FRAME)


def test_all_changes_differ() -> None:
    assert len({content_digest(frame) for frame in OTHERS.values()}) == len(OTHERS)


@given(st.integers(0, 99), st.sampled_from(sorted(SCHEMA)))
def test_any_bit_of_a_row_counts(row: int, name: str) -> None:
    columns = deal_rows(100)
    changed = {**columns, name: columns[name].copy()}
    changed[name][row] ^= columns[name].dtype.type(1)
    assert digest_in_blocks(changed, []) != digest_in_blocks(columns, [])


def test_the_last_bit_of_a_float_and_the_sign_of_zero_do_not_count() -> None:
    exact = pl.DataFrame({"share": [0.3, 0.0]})
    assert content_digest(pl.DataFrame({"share": [0.1 + 0.2, -0.0]})) == content_digest(exact)


def test_what_has_no_digest_is_refused() -> None:
    with pytest.raises(ValueError, match="column wins: nulls"):
        content_digest(pl.DataFrame({"wins": [1, None]}))
    with pytest.raises(TypeError, match="column wins: List"):
        content_digest(pl.DataFrame({"wins": [[1], [2]]}))
    with pytest.raises(TypeError, match="column name: <U3"):
        RowDigest({"name": np.dtype("<U3")})


@pytest.mark.parametrize(
    "change",
    [
        {"deal": np.zeros(3, dtype=np.int64)},
        {"deal": np.zeros(4, dtype=np.uint64)},
        {"extra": np.zeros(3, dtype=np.int64)},
    ],
)
def test_rows_of_another_shape_are_refused_whole(change: dict[str, NDArray[Any]]) -> None:
    digest = RowDigest(SCHEMA)
    before = digest.hexdigest()
    with pytest.raises(ValueError, match="column"):
        digest.update({**deal_rows(3), **change})
    assert digest.hexdigest() == before
