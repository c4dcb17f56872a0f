"""`calcsim export`: where tables go, and what is refused."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from run_folder import LABELS, TABLES, replace_table, write_run

from calcsim.analysis import export
from calcsim.cli.export import _FORMATS

SLOW = pytest.mark.slow
linux_only = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


@pytest.fixture(autouse=True)
def run(tmp_path):
    return write_run(tmp_path / "run")


def content_of(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_win_rates_as_csv_by_default(calcsim):
    ended = calcsim("export", "run")
    assert (ended.status, ended.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(ended.out, newline="")))
    assert [row["strategy"] for row in rows] == LABELS
    assert calcsim("export", "run", "win_rates", "-o", "-") == ended


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_every_table(calcsim, table, form):
    ended = calcsim("export", "run", table, "--format", form)
    assert (ended.status, ended.err) == (0, "")
    text = ended.out if form == "json" else f"[{','.join(ended.out.splitlines())}]"
    assert json.loads(text) == TABLES[table].to_dicts()


def test_the_formats_are_those_that_can_be_written():
    assert tuple(dict.fromkeys(_FORMATS.values())) == export.FORMATS


@pytest.mark.parametrize(
    ("name", "form"), [(f"a{suffix}", form) for suffix, form in _FORMATS.items()]
)
def test_the_suffix_of_a_file_tells_the_format(calcsim, tmp_path, name, form):
    ended = calcsim("export", "run", "-o", name)
    assert (ended.status, ended.out, ended.err) == (0, "", f"written to {name} as {form}\n")
    calcsim("export", "run", "--format", form, "--output", "same", "--quiet")
    assert (tmp_path / name).read_bytes() == (tmp_path / "same").read_bytes()


def test_a_suffix_may_be_in_capitals(calcsim, tmp_path):
    assert calcsim("export", "run", "-o", "a.CSV").err == "written to a.CSV as csv\n"
    assert (tmp_path / "a.CSV").read_text() == calcsim("export", "run").out


@pytest.mark.parametrize("name", ["a", "a.txt"])
def test_other_files_need_a_format(calcsim, refused, tmp_path, name):
    line, status = refused("export", "run", "-o", name)
    assert f"the name '{name}' tells no format: say --format, or end it with one of .csv" in line
    assert status == 2
    assert calcsim("export", "run", "-o", name, "--format", "csv").status == 0
    assert (tmp_path / name).read_text() == calcsim("export", "run").out


def test_quiet_says_nothing(calcsim):
    assert calcsim("export", "run", "-o", "a.csv", "--quiet") == (0, "", "")


@pytest.mark.parametrize("form", ["xlsx", "parquet"])
def test_binary_formats_to_a_pipe(process, tmp_path, form):
    ended = process("export", "run", "deals", "--format", form, text=False)
    assert (ended.status, ended.err) == (0, b"")
    if form == "parquet":
        assert_frame_equal(pl.read_parquet(ended.out), TABLES["deals"])
    else:
        assert ended.out.startswith(b"PK")


@pytest.mark.parametrize("form", ["xlsx", "parquet"])
def test_but_not_to_a_terminal(calcsim, monkeypatch, form):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    ended = calcsim("export", "run", "--format", form)
    assert ended == (1, "", f"Error: {form} is nothing for a terminal: name a file with -o\n")


def test_columns_digits_and_percent(calcsim):
    words = ["--columns", "win_rate, strategy", "--digits", 1, "--percent"]
    lines = calcsim("export", "run", *words).out.splitlines()
    assert lines[:2] == ["win_rate_percent,strategy", "30.0,greedy"]
    lines = calcsim("export", "run", *words, "--fraction").out.splitlines()
    assert lines[:2] == ["win_rate,strategy", "0.3,greedy"]


def test_a_file_that_is_there_is_replaced(calcsim, tmp_path):
    (tmp_path / "a.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("a.csv")
    assert calcsim("export", "run", "-o", "link.csv").status == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "a.csv").read_text() == calcsim("export", "run").out


@pytest.mark.parametrize(
    ("words", "says", "status"),
    [
        ("export", "Missing argument 'RUN'", 2),
        ("export run winrates", "there is no table 'winrates'; did you mean 'win_rates'?", 2),
        (
            "export run xyzzy",
            "(there are win_rates, foundation_counts, head_to_head, standings, deals)",
            2,
        ),
        ("export run --columns deals,seeed", "no column 'seeed'; did you mean 'seed'?", 2),
        ("export run --columns deals,deals", "column 'deals' is named twice", 2),
        ("export run deals --columns win_rate", "no column 'win_rate'", 2),
        ("export run --columns ,", "there is no column ''", 2),
        ("export run --format yaml", "'yaml' is not one of 'csv', 'json'", 2),
        ("export run --digits 16", "16 is out of range: 0 to 15", 2),
        ("export run --digits -1", "-1 is out of range", 2),
        ("exprot run", "did you mean 'export'?", 2),
        ("export missing", "missing is not there: name the directory of a run", 1),
        ("export run -o run/a.csv", "run/a.csv is in the run, which stays as it is", 1),
        ("export run -o run/win_rates.parquet", "is in the run, which stays as it is", 1),
        ("export run -o run/../run/deals/a.csv", "is in the run, which stays as it is", 1),
        ("export run -o .", "cannot write .: Is a directory", 1),
        ("export run -o run.txt/a.csv", "cannot write run.txt/a.csv: ", 1),
    ],
)
def test_what_is_refused(refused, run, tmp_path, words, says, status):
    (tmp_path / "run.txt").write_text("a file")
    before = content_of(tmp_path)
    line, ended_with = refused(*words.split())
    assert says.lower() in line.lower()
    assert ended_with == status
    assert content_of(tmp_path) == before


def test_a_link_into_the_run_is_refused(refused, run, tmp_path):
    (tmp_path / "link").symlink_to("run")
    line, status = refused("export", "run", "-o", "link/a.csv")
    assert "is in the run" in line
    assert status == 1


def test_a_run_without_rows_says_what_it_has(refused, run):
    manifest = json.loads((run / "run.json").read_text())
    del manifest["digests"]["deals"]
    (run / "run.json").write_text(json.dumps(manifest))
    assert refused("export", "run", "deals") == (
        "Error: run: this run has no table deals; "
        "it has win_rates, foundation_counts, head_to_head\n",
        1,
    )


@pytest.mark.parametrize("form", export.FORMATS)
def test_rows_that_cannot_be_read_leave_the_old_file(refused, run, tmp_path, form):
    for path in run.glob("deals/*/*.parquet"):
        path.write_bytes(b"no parquet")
    (tmp_path / "old").write_text("old")
    line, status = refused("export", "run", "deals", "--format", form, "-o", "old")
    assert line.startswith("Error: run: the table cannot be read: ")
    assert status == 1
    assert (tmp_path / "old").read_text() == "old"


@linux_only
@pytest.mark.parametrize("form", export.FORMATS)
def test_a_full_disk(process, refused, form):
    with open("/dev/full", "w") as full:
        words = ["export", "run", "--format", form]
        ended = process(*words, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (ended.status, ended.err) == (1, "Error: No space left on device\n")
    assert refused(*words, "-o", "/dev/full") == (
        "Error: cannot write /dev/full: No space left on device\n",
        1,
    )


@linux_only
def test_a_device_stays_a_device(calcsim):
    assert calcsim("export", "run", "-o", "/dev/null", "--quiet") == (0, "", "")
    assert not os.path.isfile("/dev/null")


@linux_only
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_is_told_of_whether_python_buffers_or_not(
    process, run, environment, unbuffered
):
    """Without a buffer, a block may be written in part alone, and the rest must follow."""
    rows = pl.concat([TABLES["win_rates"]] * 20_000)
    replace_table(run, "win_rates", rows)
    reading, writing = os.pipe()
    with subprocess.Popen(["head", "-c", "10"], stdin=reading, stdout=subprocess.DEVNULL):
        os.close(reading)
        changes = {"capture_output": False, "stdout": writing, "stderr": subprocess.PIPE}
        environment["PYTHONUNBUFFERED"] = unbuffered
        ended = process("export", "run", env=environment, **changes)
        os.close(writing)
    assert (ended.status, ended.err) == (1, "")


@linux_only
@pytest.mark.parametrize(
    "form", ["csv", *(pytest.param(form, marks=SLOW) for form in ("json", "ndjson", "md", "html"))]
)
@pytest.mark.parametrize("to", ["", "-o /dev/stdout --quiet"])
def test_a_reader_that_has_enough(shell, run, form, to):
    rows = pl.concat([TABLES["win_rates"]] * 20_000)
    replace_table(run, "win_rates", rows)
    ended = shell(f"calcsim export run --format {form} {to} | head -1")
    assert ended.out.count("\n") == 1
    assert ended.err == ""


def test_a_closed_standard_output(shell):
    ended = shell("calcsim export run >&-")
    assert ended == (1, "", "Error: standard output is closed: name a file with -o\n")


@pytest.mark.parametrize("form", ["csv", "json", "ndjson", "parquet"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_leaves_nothing_half_written(run, tmp_path, environment, form, name):
    numbers = pl.int_range(10_000_000, dtype=pl.UInt64)
    rows = pl.select(deal=numbers, noise=numbers.hash())
    replace_table(run, "win_rates", rows)
    (tmp_path / "old").write_text("old")
    process = subprocess.Popen(
        [sys.executable, "-m", "calcsim", "export", "run", "--format", form, "-o", "old"],
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment,
    )
    while not list(tmp_path.glob(".old.*.part")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(getattr(signal, name))
    assert process.communicate(timeout=30)[1].strip() == b""
    assert process.returncode == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old", "run"]
    assert (tmp_path / "old").read_text() == "old"


def test_rows_that_were_changed_are_not_exported(calcsim, tmp_path):
    calcsim("run", "greedy", "--deals", 60, "--seed", 1, "--shard-deals", 20, "--out", "real")
    assert calcsim("export", "real", "deals").out.count("\n") == 61
    folder = tmp_path / "real" / "deals" / "strategy=greedy"
    (folder / "0-19.parquet").write_bytes((folder / "20-39.parquet").read_bytes())
    ended = calcsim("export", "real", "deals")
    assert (ended.status, ended.out) == (1, "")
    assert "0-19.parquet does not hold the rows that the run has written" in ended.err
