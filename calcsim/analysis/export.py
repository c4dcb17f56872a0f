"""A table of a run in the formats of other programs."""

from __future__ import annotations

import datetime
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import polars as pl
import polars.selectors as cs
from tabulate import tabulate
from xlsxwriter import Workbook

from calcsim.analysis.run import TABLES, Run
from calcsim.analysis.standings import standings
from calcsim.batch.row_folders import DEALS
from calcsim.strategy.parameters import did_you_mean

STANDINGS = "standings"

RATES = frozenset(
    {
        "win_rate",
        "win_rate_low",
        "win_rate_high",
        "share",
        "cumulative_share",
        "difference",
        "difference_low",
        "difference_high",
        "points",
    }
)
"""Columns that are fractions of the deals."""

SHEET_ROWS = 2**20 - 1
"""Rows that a sheet of Excel holds below the names of the columns."""

_LARGEST_IN_SHEET = 10**15 - 1  # Excel shows and keeps 15 digits
_DIGITS_FOR_READERS = 6
_BLOCK = 2**19
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&])")


class ExportError(Exception):
    """A table that a run has not, that cannot be read, or that a format does not hold."""


class UnknownNameError(ExportError):
    """The name of a table or of a column that no run has."""


def find_table(run: Run, name: str) -> pl.LazyFrame:
    """A table of a run; of `deals`, which may be huge, nothing is read yet.

    Raises:
        UnknownNameError: there is no such table.
        ExportError: this run has none.
        RunError: its rows are not all there.
    """
    known = (*TABLES, STANDINGS, DEALS)
    if name not in known:
        raise UnknownNameError(
            f"there is no table '{name}'{did_you_mean(name, known)} (there are {', '.join(known)})"
        )
    tables = {table: frame.lazy() for table, frame in run.tables().items()}
    if name in tables:
        return tables[name]
    if name == STANDINGS:
        return standings(run).drop("games_per_second").lazy()
    if not run.keeps_rows:
        raise ExportError(f"this run has no table {name}; it has {', '.join(tables)}")
    run.check_rows()
    return run.deals().select("strategy", pl.exclude("strategy"))


def choose_columns(table: pl.LazyFrame, names: Sequence[str]) -> pl.LazyFrame:
    """These columns of a table, in this order.

    Raises:
        UnknownNameError: the table has no such column, or one is named twice.
    """
    known = _columns_of(table)
    for position, name in enumerate(names):
        if name not in known:
            hint = did_you_mean(name, known)
            raise UnknownNameError(
                f"there is no column '{name}'{hint} (there are {', '.join(known)})"
            )
        if name in names[:position]:
            raise UnknownNameError(f"column '{name}' is named twice")
    return table.select(names)


def in_percent(table: pl.LazyFrame) -> pl.LazyFrame:
    """The table with its rates times 100, called `win_rate_percent` and the like."""
    rates = [name for name in _columns_of(table) if name in RATES]
    return table.with_columns(pl.col(rates) * 100).rename({n: f"{n}_percent" for n in rates})


def write_table(table: pl.LazyFrame, file: BinaryIO, form: str, digits: int | None = None) -> None:
    """Write a table to a file that is open.

    As csv, json, ndjson and parquet it is written while it is read, so that it may be larger than
    memory.

    Args:
        table: what to write.
        file: where to; nothing but its `write` is called.
        form: one of `FORMATS`. Text is UTF-8.
        digits: decimals that numbers with a fraction are rounded to. Left out, they keep all they
            have (in xlsx 16 digits, its writer's limit), but 6 decimals in md and html.

    Raises:
        ExportError: the table cannot be read, or has more rows than a sheet of Excel.
        OSError: the file cannot be written.
    """
    if form in _FOR_READERS and digits is None:
        digits = _DIGITS_FOR_READERS
    table = table.with_columns(cs.float().fill_nan(None))
    if digits is not None:
        table = table.with_columns(cs.float().round(digits))
    _WRITERS[form](table, file, digits)


def _write_csv(table: pl.LazyFrame, file: BinaryIO, digits: int | None) -> None:
    header = True
    for rows in _blocks(table):
        file.write(rows.write_csv(include_header=header, float_precision=digits).encode())
        header = False


def _write_ndjson(table: pl.LazyFrame, file: BinaryIO, digits: int | None) -> None:
    for rows in _blocks(table):
        file.write(rows.write_ndjson().encode())


def _write_json(table: pl.LazyFrame, file: BinaryIO, digits: int | None) -> None:
    """An array with an object a line."""
    file.write(b"[")
    before = "\n"
    for rows in _blocks(table):
        for row in rows.iter_rows(named=True):
            file.write(f"{before}{json.dumps(row, ensure_ascii=False)}".encode())
            before = ",\n"
    file.write(b"\n]\n")


def _write_parquet(table: pl.LazyFrame, file: BinaryIO, digits: int | None) -> None:
    sink = _Sink(file)
    # In another thread, since polars would keep this one from hearing of an interrupt.
    with ThreadPoolExecutor(1) as thread:
        try:
            with _told_plainly():
                thread.submit(table.sink_parquet, cast(BinaryIO, sink)).result()
        except ExportError as error:
            raise sink.error or error from None
        except KeyboardInterrupt:
            sink.error = OSError("interrupted")
            raise


def _write_markdown(table: pl.LazyFrame, file: BinaryIO, digits: int | None) -> None:
    escaped = cs.string().str.replace_all(r"\s", " ").str.replace_all(_MARKDOWN.pattern, r"\$1")
    _write_tabulated(table.with_columns(escaped), file, digits, "pipe")


def _write_html(table: pl.LazyFrame, file: BinaryIO, digits: int | None) -> None:
    _write_tabulated(table, file, digits, "html")


def _write_tabulated(table: pl.LazyFrame, file: BinaryIO, digits: int | None, layout: str) -> None:
    """Text on the left, numbers on the right of their columns."""
    frame = _collect(table)
    text = tabulate(
        [[_cell(value, digits) for value in row] for row in frame.iter_rows()],
        headers=frame.columns,
        tablefmt=layout,
        colalign=["right" if dtype.is_numeric() else "left" for dtype in frame.dtypes],
        disable_numparse=True,
    )
    file.write(f"{text}\n".encode())


def _cell(value: object, digits: int | None) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return f"{value:z.{digits}f}"
    return str(value)


def _write_xlsx(table: pl.LazyFrame, file: BinaryIO, digits: int | None) -> None:
    """A workbook of one sheet, the same bytes for the same table whenever it is written."""
    rows = _height(table)
    if rows > SHEET_ROWS:
        raise ExportError(
            f"a sheet of Excel holds {SHEET_ROWS} rows, and this table has {rows}: "
            "export it as csv or parquet"
        )
    frame = _collect(table)
    too_large = [
        s.name for s in frame.select(cs.by_dtype(pl.UInt64)) if (s > _LARGEST_IN_SHEET).any()
    ]
    frame = frame.with_columns(pl.col(too_large).cast(pl.String))
    whole = io.BytesIO()
    plain_text = {"strings_to_formulas": False, "strings_to_urls": False}
    with Workbook(whole, {"in_memory": True} | plain_text) as book:
        book.set_properties({"created": datetime.datetime(2000, 1, 1)})
        frame.write_excel(book, column_formats={cs.numeric(): "General"}, autofit=True)
    file.write(whole.getbuffer())


_WRITERS: dict[str, Callable[[pl.LazyFrame, BinaryIO, int | None], None]] = {
    "csv": _write_csv,
    "json": _write_json,
    "ndjson": _write_ndjson,
    "md": _write_markdown,
    "html": _write_html,
    "xlsx": _write_xlsx,
    "parquet": _write_parquet,
}
_FOR_READERS = ("md", "html")

FORMATS = tuple(_WRITERS)


def _columns_of(table: pl.LazyFrame) -> list[str]:
    with _told_plainly():
        return table.collect_schema().names()


def _blocks(table: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """The rows, some at a time; at least one block, if only an empty one.

    So, unlike with polars' own `sink_csv`, an interrupt is heard of in between.
    """
    for first in range(0, max(1, _height(table)), _BLOCK):
        yield _collect(table.slice(first, _BLOCK))


def _height(table: pl.LazyFrame) -> int:
    rows: int = _collect(table.select(pl.len())).item()
    return rows


def _collect(table: pl.LazyFrame) -> pl.DataFrame:
    with _told_plainly():
        return table.collect()


@contextmanager
def _told_plainly() -> Iterator[None]:
    """Turn what polars says of a file that it cannot read into a line."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        what, _, _ = str(error).partition("\n")
        raise ExportError(f"the table cannot be read: {what}") from None


class _Sink(io.RawIOBase):
    """A file that keeps its error, which polars tells in words of its own, without its number.

    Once it has one, nothing more can be written.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.error: OSError | None = None

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> int:
        if self.error:
            raise self.error
        try:
            return self._file.write(block)
        except OSError as error:
            self.error = error
            raise
