"""What a disk refuses, in a line that says what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HINTS = {
    errno.ENOSPC: "make room, or name a directory on another disk with --out",
    errno.EACCES: "name a directory that you may write to with --out",
    errno.EROFS: "name a directory that you may write to with --out",
    errno.ENOTDIR: "name a directory with --out",
    errno.EEXIST: "a file has that name: name a directory with --out",
}


class RunDirectoryError(Exception):
    """A directory that cannot take a run, or cannot be written any more."""


class TakenError(RunDirectoryError):
    """A directory that holds something else, or that another process writes to."""


@contextmanager
def told_plainly(path: Path) -> Iterator[None]:
    """Turn an `OSError` about a path into a `RunDirectoryError` that says what to do."""
    try:
        yield
    except OSError as error:
        what = error.strerror or str(error)
        hint = _HINTS.get(error.errno or 0, "name another directory with --out")
        raise RunDirectoryError(f"cannot write {path}: {what}; {hint}") from None
