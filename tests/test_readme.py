"""Every command and every example of the README does what it shows."""

from __future__ import annotations

import re
import subprocess

import pytest
from readme import README, blocks, commands, run_command, run_python

BLOCKS = list(blocks(README.read_text()))


def test_examples_print_what_the_readme_shows(tmp_path):
    for block in BLOCKS:
        if block.saved_as:
            (tmp_path / block.saved_as).write_text(block.body)
        elif block.kind == "python":
            done = run_python(block.body, tmp_path)
            assert done.returncode == 0, done.stderr
            assert done.stdout
        elif block.kind == "console":
            for command, shown in commands(block):
                done = run_command(command, tmp_path)
                assert done.returncode == 0, done.stderr
                assert done.stdout == shown


def test_there_are_examples_of_every_kind():
    assert {block.kind for block in BLOCKS} == {"console", "python", "toml", ""}
    assert any(block.saved_as for block in BLOCKS)


@pytest.mark.parametrize(
    "target", sorted(set(re.findall(r"(?:^|`)make (\w+)", README.read_text(), re.M)))
)
def test_make_has_the_targets_that_the_readme_names(target):
    root = README.parent
    subprocess.run(["make", "-n", target], cwd=root, check=True, capture_output=True)


@pytest.mark.parametrize("name", re.findall(r"`(\w+/(?:\w+(?:/|\.py))*)`", README.read_text()))
def test_the_folders_that_the_readme_names_are_there(name):
    assert name == "results/" or (README.parent / name).exists()
