"""The command `calcsim` and what all its verbs share: finding them, and ending well."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import traceback
from difflib import get_close_matches

import click

TRACEBACK_VARIABLE = "CALCSIM_TRACEBACK"

_VERBS = (
    "run",
    "tournament",
    "compare",
    "diff",
    "export",
    "reproduce",
    "merge",
    "strategies",
    "variants",
    "deal",
    "replay",
    "new",
    "check",
)

_EXIT_FAILED = 1
_EXIT_INTERRUPTED = 130


class _Verbs(click.Group):
    """The verbs, each imported when it is wanted."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _VERBS:
            return None
        command: click.Command = importlib.import_module(f"calcsim.cli.{name}").command
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _VERBS and not args[0].startswith("-"):
            close = get_close_matches(args[0], _VERBS, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise click.UsageError(f"No such command '{args[0]}'.{hint}", context)
        return super().resolve_command(context, args)


def _show_version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        click.echo(f"calcsim {version('calcsim')}")
        context.exit()


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Simulate the patience Calculation: millions of seeded deals, any strategy."""


def main() -> None:
    """Run the command line and end with its exit status."""
    sys.exit(_status())


def _status() -> int:
    try:
        # What a command returns is None; where it raised click's `Exit`, this is the status.
        status = cli.main(prog_name="calcsim", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.Abort:
        return _EXIT_INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message(), err=True)
        return asked.exit_code
    except click.ClickException as refused:
        click.echo(f"Error: {refused.format_message()}{_where_to_look(refused)}", err=True)
        return refused.exit_code
    except OSError as error:
        if error.errno != errno.EPIPE:
            click.echo(f"Error: {error.strerror or error}", err=True)
        _forget_output()
        return _EXIT_FAILED
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            traceback.print_exc()
        click.echo(
            f"Error: calcsim itself failed ({type(error).__name__}: {error}); "
            f"with {TRACEBACK_VARIABLE}=1 set it tells where",
            err=True,
        )
        return _EXIT_FAILED
    return status or 0


def _where_to_look(refused: click.ClickException) -> str:
    if not isinstance(refused, click.UsageError):
        return ""
    context = refused.ctx or click.get_current_context(silent=True)
    return f" (see '{context.command_path if context else 'calcsim'} --help')"


def _forget_output() -> None:
    """Keep the interpreter from flushing what can no longer be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
