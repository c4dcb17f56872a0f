"""Where machine code is kept, so that it is compiled once and never served stale.

numba's own cache looks at nothing but the file that defines a function, so a changed helper would
go unnoticed. Here every entry point is kept in a folder of its own, named by a digest of all that
its code depends on. One folder never holds two versions, so that processes which compile the same
thing at the same time write the same content and cannot harm each other.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import config

import calcsim.game

CACHE_VARIABLE = "CALCSIM_CACHE_DIR"
"""Environment variable that names another folder for compiled code."""

_MOST_ENTRIES = 400
_KEPT_SECONDS = 30 * 24 * 3600


class CodeCache:
    """A folder of machine code.

    Attributes:
        folder: where it is.
        lasting: whether it outlives this process.
    """

    def __init__(self, folder: Path, lasting: bool) -> None:
        """Use a folder that exists and can be written."""
        self.folder = folder
        self.lasting = lasting

    def entry_folder(self, key: str) -> Path:
        """The folder for code that depends on `key` and on the engine."""
        digest = hashlib.sha256(f"{engine_key()}\n{key}".encode()).hexdigest()
        return self.folder / digest[:32]

    def holds(self, key: str) -> bool:
        """Whether code for `key` is there, so that nothing need be compiled."""
        return any(self.entry_folder(key).glob("**/*.nbc"))

    @contextmanager
    def kept_under(self, key: str) -> Iterator[None]:
        """Have numba keep the functions decorated inside the block under `key`."""
        folder = self.entry_folder(key)
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = before
        with suppress(OSError):
            os.utime(folder)

    def prune(self) -> None:
        """Remove what was not used for a month, or is too much."""
        with suppress(OSError):
            entries = sorted(self.folder.iterdir(), key=_last_use, reverse=True)
            oldest = time.time() - _KEPT_SECONDS
            for number, entry in enumerate(entries):
                if number >= _MOST_ENTRIES or _last_use(entry) < oldest:
                    shutil.rmtree(entry, ignore_errors=True)


def _last_use(entry: Path) -> float:
    try:
        return entry.stat().st_mtime
    except OSError:  # removed by another process
        return 0.0


@cache
def code_cache() -> CodeCache:
    """The cache of this process: the user's, or one that ends with the process."""
    named = os.environ.get(CACHE_VARIABLE)
    folder = Path(named) if named else _user_folder()
    if folder and _can_be_written(folder):
        return CodeCache(folder, lasting=True)
    temporary = Path(tempfile.mkdtemp(prefix="calcsim-code-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    # Worker processes take over the environment, and with it the code compiled here.
    os.environ[CACHE_VARIABLE] = str(temporary)
    return CodeCache(temporary, lasting=False)


def _user_folder() -> Path | None:
    try:
        folder = platformdirs.user_cache_path("calcsim") / "code"
    except (OSError, RuntimeError):
        return None
    return folder if folder.is_absolute() else None


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def engine_key() -> str:
    """A digest of everything that all compiled code depends on, whatever is compiled."""
    digest = hashlib.sha256()
    versions = (platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__)
    digest.update(repr(versions).encode())
    package = Path(calcsim.game.__file__).parent.parent
    for room in ("game", "engine", "strategy"):
        for source in sorted((package / room).glob("*.py")):
            digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()
