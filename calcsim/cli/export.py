"""`calcsim export`: a table of a run for other programs."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

import click

from calcsim.cli.options import Count, FilePath
from calcsim.cli.signals import ended_like_ctrl_c

if TYPE_CHECKING:
    import polars as pl

_FORMATS = {
    ".csv": "csv",
    ".json": "json",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".md": "md",
    ".html": "html",
    ".htm": "html",
    ".xlsx": "xlsx",
    ".parquet": "parquet",
}
"""By the suffix of a file."""

_NOT_FOR_TERMINALS = ("xlsx", "parquet")
_MOST_DIGITS = 15


@click.command("export")
@click.argument("run", metavar="RUN", type=FilePath())
@click.argument("table", metavar="[TABLE]", default="win_rates")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(dict.fromkeys(_FORMATS.values()))),
    help="The format [default: by the suffix of the -o file, else csv].",
)
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    metavar="FILE",
    help="Where to; a file that is there is replaced [default: -, standard output].",
)
@click.option(
    "--columns",
    metavar="A,B,...",
    help="Only these columns, in this order, by their names in the run.",
)
@click.option(
    "--digits",
    type=Count(0, _MOST_DIGITS),
    metavar="N",
    help="Decimals of fractional numbers [default: all they have; 6 in md and html].",
)
@click.option(
    "--percent/--fraction",
    default=False,
    help="Rates times 100, as win_rate_percent and so on, or as they are [default: --fraction].",
)
@click.option("--quiet", is_flag=True, help="No notes.")
def command(
    run: Path,
    table: str,
    form: str | None,
    output: Path | None,
    columns: str | None,
    digits: int | None,
    percent: bool,
    quiet: bool,
) -> None:
    """Write a TABLE of the run directory RUN for other programs.

    The tables are win_rates (the default), foundation_counts, head_to_head, standings (with ranks
    and points), and deals: a row per strategy and deal.
    """
    from calcsim.analysis.export import ExportError, write_table

    # In place of the handler that polars sets, which panics: Python's own again.
    signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
    form = form or _format_of(output)
    frame = _find(run, table, columns, percent)

    def write(file: BinaryIO) -> None:
        write_table(frame, file, form, digits)

    try:
        if output is None or str(output) == "-":
            _to_standard_output(write, form)
        else:
            _to_file(write, output, run)
            if not quiet:
                click.echo(f"written to {output} as {form}", err=True)
    except ExportError as error:
        raise click.ClickException(f"{run}: {error}") from None


def _format_of(output: Path | None) -> str:
    """The format that the name of a file tells; csv for standard output and the like."""
    if output is None or str(output) == "-" or (output.exists() and not output.is_file()):
        return "csv"
    form = _FORMATS.get(output.suffix.lower())
    if form is None:
        raise click.UsageError(
            f"the name '{output}' tells no format: say --format, or end it with one of "
            f"{', '.join(_FORMATS)}"
        )
    return form


def _find(run: Path, table: str, columns: str | None, percent: bool) -> pl.LazyFrame:
    """The table that the words of the call mean."""
    from calcsim.analysis.export import (
        ExportError,
        UnknownNameError,
        choose_columns,
        find_table,
        in_percent,
    )
    from calcsim.analysis.run import RunError, scan

    try:
        frame = find_table(scan(run), table)
        if columns is not None:
            frame = choose_columns(frame, [name.strip() for name in columns.split(",")])
        return in_percent(frame) if percent else frame
    except UnknownNameError as error:
        raise click.UsageError(str(error)) from None
    except RunError as error:
        raise click.ClickException(str(error)) from None
    except ExportError as error:
        raise click.ClickException(f"{run}: {error}") from None


def _to_standard_output(write: Callable[[BinaryIO], None], form: str) -> None:
    out: TextIO | None = sys.stdout
    if out is None:
        raise click.ClickException("standard output is closed: name a file with -o")
    if form in _NOT_FOR_TERMINALS and out.isatty():
        raise click.ClickException(f"{form} is nothing for a terminal: name a file with -o")
    write(cast(BinaryIO, _Unbuffered(out.buffer)))


class _Unbuffered:
    """Standard output, which may take but a part of a block where PYTHONUNBUFFERED is set."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, block: bytes) -> int:
        rest = memoryview(block)
        while rest:
            rest = rest[self._file.write(rest) :]
        return len(block)


def _to_file(write: Callable[[BinaryIO], None], output: Path, run: Path) -> None:
    """Write a file whole or not at all; what is no plain file (a pipe, say) is written into."""
    from calcsim.batch.files import write_whole

    target = output.resolve()
    if target.is_relative_to(run.resolve()):
        raise click.ClickException(
            f"{output} is in the run, which stays as it is: name another file"
        )
    try:
        with ended_like_ctrl_c():
            if output.exists() and not output.is_file():
                with output.open("wb") as file:
                    write(file)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                write_whole(target, write)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror or error}") from None
