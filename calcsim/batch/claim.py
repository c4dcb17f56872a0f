"""A claim on a directory: one process at a time writes a run to it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from calcsim.batch.disk_errors import RunDirectoryError, TakenError, told_plainly

CLAIM = ".writing"
"""Name of the file that is locked while a run is written. The lock of who is killed is gone."""


class Claim:
    """A claim that holds until it is released or its process ends.

    Attributes:
        made: the folders that had to be made for it, innermost first.
    """

    def __init__(self, path: Path) -> None:
        """Make the directory if need be, and claim it.

        Raises:
            TakenError: another process has claimed it.
            RunDirectoryError: it cannot be made or written.
        """
        from filelock import FileLock, Timeout

        self.path = path
        with told_plainly(path):
            self.made = [folder for folder in (path, *path.parents) if not folder.exists()]
            path.mkdir(parents=True, exist_ok=True)
            place = path.stat()
            self._place = place.st_dev, place.st_ino
            self._lock = FileLock(path / CLAIM)
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                raise TakenError(
                    f"another run is writing to {path}: name a new directory"
                ) from None

    def check(self) -> None:
        """Raise `RunDirectoryError` if the directory was removed, or another is in its place."""
        with suppress(OSError):
            there = self.path.stat()
            if (there.st_dev, there.st_ino) == self._place:
                return
        raise RunDirectoryError(f"{self.path} was removed while the run was written to it")

    def holds_something(self) -> bool:
        """Whether there is anything in the directory but the claim itself."""
        with told_plainly(self.path):
            return any(entry.name != CLAIM for entry in self.path.iterdir())

    def release(self) -> None:
        """Let others write there."""
        with suppress(OSError):
            (self.path / CLAIM).unlink()
        self._lock.release()
