"""Where strategies are found: the built-in ones, installed plug-ins, and files."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from calcsim.strategy.errors import StrategyError, UnknownStrategyError
from calcsim.strategy.parameters import did_you_mean

PLUGIN_GROUP = "calcsim.strategies"
"""Entry-point group of installed strategies: name = module."""

BUILTIN = "built-in"
PLUGIN = "plug-in"
FILE = "file"


@dataclass(frozen=True)
class Found:
    """A strategy that was found and not yet read.

    Attributes:
        name: what users call it.
        origin: `BUILTIN`, `PLUGIN` or `FILE`.
        location: its file's path, or a plug-in's module.
    """

    name: str
    origin: str
    location: str

    def path(self) -> Path:
        """Its file; raises `StrategyError` where an installed plug-in has none."""
        if self.origin != PLUGIN:
            return Path(self.location)
        try:
            spec = importlib.util.find_spec(self.location)
        except (ImportError, ValueError) as error:
            raise StrategyError(f"plug-in '{self.name}' cannot be imported: {error}") from None
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            raise StrategyError(f"plug-in '{self.name}' has no source file ({self.location})")
        return Path(spec.origin)


def builtin_folder() -> Path:
    """The folder of the built-in strategies: inside an installed package, else beside it."""
    package = Path(__file__).parent.parent
    installed = package / "builtin"
    return installed if installed.is_dir() else package.parent / "strategies"


@cache
def catalogue() -> dict[str, Found]:
    """Every strategy that has a name, by name: built-in ones first, then plug-ins."""
    files = sorted(builtin_folder().glob("[!_]*.py"))
    names = {path.stem.replace("_", "-"): path for path in files}
    found = {name: Found(name, BUILTIN, str(path)) for name, path in names.items()}
    for entry in sorted(importlib.metadata.entry_points(group=PLUGIN_GROUP)):
        found.setdefault(entry.name, Found(entry.name, PLUGIN, entry.module))
    return found


def builtin_names() -> list[str]:
    """The names of the built-in strategies."""
    return [name for name, found in catalogue().items() if found.origin == BUILTIN]


def find(name: str) -> Found:
    """The strategy that a user's word means: a name from the catalogue, or a path to a file.

    Raises:
        UnknownStrategyError: there is none; the text suggests what was meant.
    """
    if name in catalogue():
        return catalogue()[name]
    path = Path(name)
    if name.endswith(".py") or os.sep in name:
        if not path.is_file():
            raise UnknownStrategyError(f"there is no strategy file '{name}'")
        return Found(path.stem.replace("_", "-"), FILE, str(path.resolve()))
    hint = did_you_mean(name, catalogue()) or "; 'calcsim strategies' lists them"
    if Path(f"{name}.py").is_file():
        hint = f"; did you mean the file '{name}.py'?"
    raise UnknownStrategyError(f"there is no strategy '{name}'{hint}")
