"""Help is there at once, for every verb."""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from calcsim.cli.main import _VERBS

HEAVY = ["numba", "numpy", "polars", "scipy", "llvmlite", "tqdm"]
LOADED = f"""
import sys
from calcsim.cli.main import main
sys.argv = ["calcsim", *sys.argv[1:]]
try:
    main()
finally:
    print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["run", "--help"], ["replay", "-h"], ["run", "--xyzzy"]]
)
def test_it_loads_nothing_heavy(words, tmp_path):
    command = [sys.executable, "-c", LOADED, *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == "[]"


def test_it_lists_the_verbs(calcsim):
    for words in (["--help"], ["-h"]):
        ended = calcsim(*words)
        assert ended.status == 0
        assert ended.err == ""
        assert all(f"\n  {verb} " in ended.out for verb in _VERBS)


def test_without_words_it_is_shown_as_well(calcsim):
    ended = calcsim()
    assert ended.status == 2
    assert ended.err == calcsim("--help").out
    assert ended.out == ""


@pytest.mark.parametrize("verb", _VERBS)
def test_every_verb_has_its_own(calcsim, verb):
    ended = calcsim(verb, "--help")
    assert ended.status == 0
    assert ended.out.startswith(f"Usage: calcsim {verb} [OPTIONS]")
    assert max(map(len, ended.out.splitlines())) <= 80


def test_the_version(process):
    ended = process("--version")
    assert ended.status == 0
    assert ended.out == f"calcsim {version('calcsim')}\n"


def test_the_installed_command_is_the_same(process):
    command = shutil.which("calcsim", path=Path(sys.executable).parent)
    if not command:
        pytest.skip("the command is not installed beside this Python")
    done = subprocess.run([command, "run"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == process("run")
