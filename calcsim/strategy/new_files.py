"""A new strategy: a file to start from, and its tests beside it."""

from __future__ import annotations

import importlib.metadata
import keyword
import re
import sys
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from string import Template

from calcsim.strategy.catalogue import catalogue

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")


class NameRefusedError(ValueError):
    """A name that no new strategy can have; the text says why."""


def file_name(name: str) -> str:
    """The name of the file of a strategy that is to be called `name`.

    Raises:
        NameRefusedError: it can be no file that is imported, or there is something of that name.
    """
    if not _NAME.fullmatch(name):
        stem = Path(name).name.removesuffix(".py")
        hint = f"; did you mean '{stem}'?" if _NAME.fullmatch(stem) else ""
        raise NameRefusedError(
            f"'{name}' can be no strategy's name: take letters (A to Z) and digits, a letter "
            f"first, with single dashes between them{hint}"
        )
    module = name.replace("-", "_")
    called = name.replace("_", "-")
    if keyword.iskeyword(module):
        raise NameRefusedError(f"'{name}' is a word of Python: take another name")
    if called in catalogue():
        found = catalogue()[called]
        raise NameRefusedError(
            f"'{called}' is a {found.origin} strategy already: take another name"
        )
    if module == "conftest" or module.startswith("test_"):
        raise NameRefusedError(f"pytest would take {module}.py for tests: take another name")
    if module in _modules():
        raise NameRefusedError(
            f"{module}.py would be imported in the place of the module '{module}': "
            "take another name"
        )
    return f"{module}.py"


def write_new_strategy(name: str, form: str, folder: Path) -> tuple[Path, Path]:
    """Write a strategy that plays as it is, and tests of it: both, or neither.

    Args:
        name: what it is to be called.
        form: "simple" or "full".
        folder: where; it is made if need be.

    Returns:
        The strategy's file, and that of its tests.

    Raises:
        NameRefusedError: see `file_name`.
        OSError: a file of that name exists, or it cannot be written.
    """
    path = folder / file_name(name)
    test = path.with_name(f"test_{path.name}")
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as undoing:
        for file, template in ((path, form), (test, "test")):
            text = Template(_read(template)).substitute(file=path.name, test=test.name)
            with file.open("x", encoding="utf-8") as opened:  # never what is there already
                undoing.callback(file.unlink)
                opened.write(text)
        undoing.pop_all()
    return path, test


def _read(template: str) -> str:
    return (files(__package__) / "templates" / f"{template}.py.txt").read_text(encoding="utf-8")


def _modules() -> set[str]:
    """What can be imported already, and should be what is meant."""
    installed = importlib.metadata.packages_distributions()
    return {"calcsim", *sys.stdlib_module_names, *installed}
