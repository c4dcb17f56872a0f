"""The examples of the README: finding them, running them, and writing in what they print.

`python tests/readme.py` runs every example and puts its real output into the README.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"

_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.S | re.M)
_SAVED_AS = re.compile(r"Save this as `([^`]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block: the line before it, its kind (console, python or none), its lines."""

    before: str
    kind: str
    body: str

    @property
    def saved_as(self) -> str | None:
        """The file that a reader is told to save it as."""
        match = _SAVED_AS.search(self.before)
        return match and match[1]


def blocks(text: str) -> Iterator[Block]:
    """Every fenced block, in order."""
    for match in _BLOCK.finditer(text):
        yield Block(match["before"], match["kind"], match["body"])


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown for it."""
    parts = re.split(r"^\$ (.*)\n", block.body, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def run_command(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell command in a folder, with the `calcsim` of this environment."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "COLUMNS": "80"}
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True
    )


def run_python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python example as a file in a folder."""
    example = folder / "example.py"
    example.write_text(code)
    return run_command("python example.py", folder)


def _with_outputs(text: str, folder: Path) -> str:
    for block in blocks(text):
        if block.saved_as:
            (folder / block.saved_as).write_text(block.body)
        if block.kind == "console":
            shown = "".join(
                f"$ {command}\n{run_command(command, folder).stdout}"
                for command, _ in commands(block)
            )
            text = text.replace(f"```console\n{block.body}```", f"```console\n{shown}```")
    return text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        README.write_text(_with_outputs(README.read_text(), Path(folder)))
