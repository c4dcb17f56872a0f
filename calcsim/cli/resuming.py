"""The words of a command that goes on with what another has begun."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def resuming(words: Sequence[str], seed: int, out: Path) -> list[str]:
    """The words of a call with what makes it go on with its run.

    Args:
        words: of the call, behind `calcsim`.
        seed: of the run, which it may have drawn.
        out: the run directory, which it may have named itself.
    """
    options, _, _ = _parted(words)
    added = []
    if not _has(options, "--seed"):
        added += ["--seed", str(seed)]
    if not _has(options, "--out"):
        added += ["--out", str(out)]
    if not _has(options, "--resume"):
        added += ["--resume"]
    before, dashes, behind = _parted(words)
    return [*before, *added, *dashes, *behind]


def _parted(words: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """The words before, at and behind `--`, after which no options are read."""
    place = words.index("--") if "--" in words else len(words)
    return list(words[:place]), list(words[place : place + 1]), list(words[place + 1 :])


def _has(words: Sequence[str], option: str) -> bool:
    return any(word == option or word.startswith(f"{option}=") for word in words)
