"""Lists of what there is, a line or more each."""

from __future__ import annotations

import shutil

import click


def echo_list(rows: list[tuple[str, str]]) -> None:
    """Print names and what they mean in two columns, wrapped to the width of the terminal."""
    formatter = click.HelpFormatter(width=shutil.get_terminal_size().columns)
    formatter.write_dl(rows)
    click.echo(formatter.getvalue(), nl=False)
