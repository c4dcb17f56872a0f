"""Digests of what a table holds, whatever file format or library version holds it.

A digest is a SHA-256 over each column's name, dtype and the SHA-256 of its values, in the columns'
order. Values count as

- integers: little-endian bytes of their width; booleans: a byte, 0 or 1;
- strings: UTF-8, behind their length in bytes as eight little-endian bytes;
- floats: text of 12 significant digits and a line feed, so that the last bit, in which two
  mathematical libraries may differ, does not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

Column: TypeAlias = NDArray[Any]

_STRINGS = "str"
_INTEGERS_AND_BOOLEANS = "iub"
_FLOATS = "f"


class RowDigest:
    """The digest of a table that comes in blocks of rows, the same for every cut into blocks."""

    def __init__(self, schema: Mapping[str, np.dtype[Any]]) -> None:
        """Starts with no rows.

        Args:
            schema: column names, in order, to dtypes: integers, booleans or floats.

        Raises:
            TypeError: a dtype that has no digest.
        """
        self._dtypes = {name: np.dtype(dtype) for name, dtype in schema.items()}
        for name, dtype in self._dtypes.items():
            if dtype.kind not in _INTEGERS_AND_BOOLEANS + _FLOATS:
                raise TypeError(f"column {name}: {dtype} has no digest")
        self._values = {name: hashlib.sha256() for name in self._dtypes}

    def update(self, columns: Mapping[str, Column]) -> None:
        """Adds the next rows.

        Args:
            columns: the schema's columns, in any order, each of shape (rows,) and of its dtype.

        Raises:
            ValueError: other columns, another dtype or columns of different lengths; nothing is
                added then.
        """
        self._check(columns)
        for name, digest in self._values.items():
            digest.update(_value_bytes(columns[name]))

    def hexdigest(self) -> str:
        """The digest of all rows up to now, 64 hexadecimal digits; more rows may follow."""
        return _table_digest(
            (name, self._dtypes[name].name, digest.digest())
            for name, digest in self._values.items()
        )

    def _check(self, columns: Mapping[str, Column]) -> None:
        if columns.keys() != self._dtypes.keys():
            raise ValueError(f"expected columns {list(self._dtypes)}, got {list(columns)}")
        for name, dtype in self._dtypes.items():
            if columns[name].dtype.name != dtype.name:
                raise ValueError(f"column {name}: expected {dtype}, got {columns[name].dtype}")
        if len({column.shape for column in columns.values()}) > 1:
            raise ValueError("the columns of a block have different lengths")


def content_digest(frame: pl.DataFrame) -> str:
    """The digest of a frame's content: names, dtypes, values and their order.

    Equals that of a `RowDigest` fed with the same columns.

    Args:
        frame: columns of integers, booleans, floats and strings, without nulls.

    Returns:
        64 hexadecimal digits.

    Raises:
        TypeError: a dtype that has no digest.
        ValueError: a column with nulls.
    """
    return _table_digest(_column_digest(column) for column in frame)


def _column_digest(column: pl.Series) -> tuple[str, str, bytes]:
    """Name, dtype and digest of the values."""
    import polars as pl  # here, so that those who digest arrays need not load it

    if column.null_count():
        raise ValueError(f"column {column.name}: nulls have no digest")
    if column.dtype == pl.String:
        digest = hashlib.sha256()
        for text in column:
            digest.update(_with_length(text))
        return column.name, _STRINGS, digest.digest()
    if not (column.dtype.is_integer() or column.dtype.is_float() or column.dtype == pl.Boolean):
        raise TypeError(f"column {column.name}: {column.dtype} has no digest")
    values = column.to_numpy()
    return column.name, values.dtype.name, hashlib.sha256(_value_bytes(values)).digest()


def _table_digest(columns: Iterable[tuple[str, str, bytes]]) -> str:
    table = hashlib.sha256()
    for name, dtype, values_digest in columns:
        table.update(_with_length(name) + _with_length(dtype) + values_digest)
    return table.hexdigest()


def _value_bytes(values: Column) -> memoryview | bytes:
    if values.dtype.kind == _FLOATS:
        # Adding 0.0 makes -0.0, which equals 0.0, look like it.
        return "".join(f"{value + 0.0:.12g}\n" for value in values.tolist()).encode()
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).data


def _with_length(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(8, "little") + encoded
