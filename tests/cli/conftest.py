"""The command line, called in this process or as a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from executors import POOL, InProcess

from calcsim.cli.main import main

COMMAND = [sys.executable, "-m", "calcsim"]


class Ended(NamedTuple):
    """What came of a call."""

    status: int
    out: str
    err: str


@pytest.fixture
def calcsim(monkeypatch, capsys, tmp_path):
    """Calls the command line with words, in an empty folder and without other processes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(POOL, InProcess)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["calcsim", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return Ended(ended.value.code, *capsys.readouterr())

    return call


@pytest.fixture
def refused(calcsim):
    """Calls with words that are refused in one line: what it says and the exit status."""

    def call(*words):
        before = sorted(Path.cwd().rglob("*"))
        ended = calcsim(*words)
        assert ended.out == ""
        assert ended.err.startswith("Error: ")
        assert ended.err.count("\n") == 1
        assert sorted(Path.cwd().rglob("*")) == before
        return ended.err, ended.status

    return call


@pytest.fixture
def environment():
    """An environment without the size of a terminal."""
    return {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}


@pytest.fixture
def process(tmp_path, environment):
    """Runs the command line as a process of its own, in an empty folder."""

    def call(*words, **changes):
        settings = {"capture_output": True, "text": True, "cwd": tmp_path, "env": environment}
        done = subprocess.run([*COMMAND, *map(str, words)], timeout=120, **settings | changes)
        return Ended(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def shell(tmp_path, environment):
    """Runs a line of a shell, in which `calcsim` is the command line, in an empty folder."""
    bash = shutil.which("bash")
    if not bash:
        pytest.skip("needs bash")

    def call(line):
        words = f'calcsim() {{ "{sys.executable}" -m calcsim "$@"; }}; {line}'
        done = subprocess.run(
            [bash, "-c", words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            timeout=120,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    return call
