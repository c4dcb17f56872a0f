"""Tables in the formats of other programs: what is read back is the table."""

import csv
import errno
import io
import json
import os
import re
import time
from html.parser import HTMLParser

import openpyxl
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from run_folder import LABELS, LARGEST, TABLES, WIN_RATES, write_run

from calcsim.analysis.export import (
    FORMATS,
    SHEET_ROWS,
    ExportError,
    UnknownNameError,
    choose_columns,
    find_table,
    in_percent,
    write_table,
)
from calcsim.analysis.run import scan

EVERY_TABLE = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def written(frame, form, digits=None):
    file = io.BytesIO()
    write_table(frame.lazy(), file, form, digits)
    return file.getvalue()


class Cells(HTMLParser):
    """The cells of an HTML table, in rows, and the tags and styles that it has."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.tags, self.styles = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.styles.append(dict(attributes).get("style"))

    def handle_data(self, text):
        if self.rows:
            self.rows[-1][-1:] = [cell + text for cell in self.rows[-1][-1:]]


def markdown_cells(text):
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines()]
    return [[re.sub(r"\\(\W|_)", r"\1", cell.strip()) for cell in line] for line in lines]


def as_text(row, digits):
    def cell(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        return f"{value:z.{digits}f}" if isinstance(value, float) else str(value)

    return [cell(value) for value in row]


def assert_rows_are(rows, table):
    assert rows == table.to_dicts()
    assert [list(row) for row in rows] == [table.columns] * table.height


@EVERY_TABLE
def test_csv(table):
    text = written(table, "csv").decode()
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    assert head == table.columns
    for column, cells in zip(table.iter_columns(), zip(*rows, strict=True), strict=True):
        if column.dtype.is_float():
            assert [float(cell) for cell in cells] == column.to_list()
        else:
            assert list(cells) == as_text(column, None)


@EVERY_TABLE
def test_json(table):
    assert_rows_are(json.loads(written(table, "json")), table)


@EVERY_TABLE
def test_ndjson(table):
    lines = written(table, "ndjson").decode().splitlines()
    assert_rows_are([json.loads(line) for line in lines], table)


@EVERY_TABLE
def test_parquet(table):
    assert_frame_equal(pl.read_parquet(written(table, "parquet")), table, check_exact=True)


@EVERY_TABLE
def test_xlsx(table):
    book = openpyxl.load_workbook(io.BytesIO(written(table, "xlsx")))
    head, *rows = book.active.iter_rows(values_only=True)
    assert list(head) == table.columns
    for column, cells in zip(table.iter_columns(), zip(*rows, strict=True), strict=True):
        if column.dtype.is_float():
            assert list(cells) == pytest.approx(column.to_list(), rel=1e-15, abs=0)
        elif column.dtype == pl.UInt64 and column.max() >= 10**15:
            assert list(cells) == [str(number) for number in column]
        else:
            assert list(cells) == column.to_list()


@EVERY_TABLE
@pytest.mark.parametrize("digits", [None, 0, 3])
def test_markdown(table, digits):
    head, ruler, *rows = markdown_cells(written(table, "md", digits).decode())
    assert head == table.columns
    assert [cell.endswith(":") for cell in ruler] == [d.is_numeric() for d in table.dtypes]
    shown = 6 if digits is None else digits
    assert rows == [as_text(row, shown) for row in table.iter_rows()]


@EVERY_TABLE
@pytest.mark.parametrize("digits", [None, 0, 3])
def test_html(table, digits):
    cells = Cells(written(table, "html", digits).decode())
    head, *rows = [[cell.strip() for cell in row] for row in cells.rows]
    assert head == table.columns
    shown = 6 if digits is None else digits
    assert rows == [as_text(row, shown) for row in table.iter_rows()]
    assert set(cells.tags) == {"table", "thead", "tbody", "tr", "th", "td"}
    right = ["text-align: right;" if dtype.is_numeric() else None for dtype in table.dtypes]
    assert cells.styles == right * (table.height + 1)


def test_a_name_of_two_lines_stays_in_one_row_of_markdown():
    frame = pl.DataFrame({"strategy": ["two\nlines"], "deals": [1]})
    assert markdown_cells(written(frame, "md").decode())[2:] == [["two lines", "1"]]


def test_digits():
    frame = pl.DataFrame({"deals": [12345], "share": [0.123456789]})
    assert written(frame, "csv", 3) == b"deals,share\n12345,0.123\n"
    assert json.loads(written(frame, "json", 3)) == [{"deals": 12345, "share": 0.123}]
    assert json.loads(written(frame, "ndjson", 3)) == {"deals": 12345, "share": 0.123}
    assert pl.read_parquet(written(frame, "parquet", 3))["share"].to_list() == [0.123]
    sheet = openpyxl.load_workbook(io.BytesIO(written(frame, "xlsx", 3))).active
    assert [cell.value for cell in sheet[2]] == [12345, 0.123]


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_no_number_is_left_out(form):
    frame = pl.DataFrame({"strategy": ["greedy"], "share": [float("nan")]})
    assert b"nan" not in written(frame, form).lower()


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_table_is_the_same_bytes(form):
    first = written(WIN_RATES, form)
    time.sleep(1.1 if form == "xlsx" else 0)
    assert written(WIN_RATES, form) == first


@pytest.mark.parametrize("form", FORMATS)
def test_a_table_without_rows(form):
    assert written(WIN_RATES.clear(), form) or form == "ndjson"


def test_an_empty_json_array():
    assert json.loads(written(WIN_RATES.clear(), "json")) == []


def test_more_rows_than_a_sheet_holds():
    rows = pl.select(deal=pl.int_range(SHEET_ROWS + 1)).lazy()
    with pytest.raises(ExportError, match=r"a sheet of Excel holds 1048575 rows, and .* 1048576"):
        write_table(rows, io.BytesIO(), "xlsx")


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_that_cannot_be_written(form):
    class Full(io.BytesIO):
        def write(self, block):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space left") as raised:
        write_table(WIN_RATES.lazy(), Full(), form)
    assert raised.value.errno == errno.ENOSPC


@pytest.mark.parametrize("form", FORMATS)
def test_rows_that_cannot_be_read(form, tmp_path):
    folder = write_run(tmp_path / "run")
    deals = find_table(scan(folder), "deals")
    for path in folder.glob("deals/*/*.parquet"):
        path.write_bytes(b"no parquet")
    with pytest.raises(ExportError, match=r"^the table cannot be read: [^\n]+$"):
        write_table(deals, io.BytesIO(), form)


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_a_run(tmp_path, name):
    run = scan(write_run(tmp_path / "run"))
    assert_frame_equal(find_table(run, name).collect(), TABLES[name])


def test_a_table_that_no_run_has(tmp_path):
    run = scan(write_run(tmp_path / "run"))
    with pytest.raises(UnknownNameError, match=r"no table 'winrates'; did you mean 'win_rates'\?"):
        find_table(run, "winrates")


def test_columns():
    table = choose_columns(WIN_RATES.lazy(), ["deals", "strategy"]).collect()
    assert_frame_equal(table, WIN_RATES.select("deals", "strategy"))
    with pytest.raises(UnknownNameError, match=r"no column 'winrate'; did you mean 'win_rate'\?"):
        choose_columns(WIN_RATES.lazy(), ["strategy", "winrate"])
    with pytest.raises(UnknownNameError, match="'deals' is named twice"):
        choose_columns(WIN_RATES.lazy(), ["deals", "strategy", "deals"])


def test_percent():
    table = in_percent(WIN_RATES.lazy()).collect()
    assert table.columns == ["strategy", "seed", "deals", "wins", "win_rate_percent", "confidence"]
    assert table["win_rate_percent"].to_list() == [100 * rate for rate in WIN_RATES["win_rate"]]
    assert table["seed"].to_list() == [LARGEST] * len(LABELS)
    assert_frame_equal(in_percent(TABLES["deals"].lazy()).collect(), TABLES["deals"])
