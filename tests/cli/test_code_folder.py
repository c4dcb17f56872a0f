"""Where no folder can be written, compiled code is kept for the one run."""

import os
import subprocess
import sys

import pytest

CACHE = "CALCSIM_CACHE_DIR"
TELL = "from calcsim.engine.code_cache import code_cache as c; print(c().lasting, c().folder)"


@pytest.fixture
def homeless(environment, tmp_path):
    """An environment in which neither a home nor a cache folder can be written."""
    (tmp_path / "file").write_text("")
    hidden = ("HOME", "XDG_CACHE_HOME", "USERPROFILE", "LOCALAPPDATA", CACHE)
    kept = {key: value for key, value in environment.items() if key not in hidden}
    return kept | {"HOME": str(tmp_path / "file"), "PYTHONDONTWRITEBYTECODE": "1"}


def test_a_run_without_a_folder(process, homeless, tmp_path):
    ended = process(
        *["run", "shortest", "--deals", 10, "--seed", 1, "--workers", 1, "--out", "run"],
        env=homeless | {"TMPDIR": str(_made(tmp_path / "tmp"))},
    )
    assert ended.status == 0
    assert "(no folder to keep it is writable)" in ended.err
    assert ended.out.splitlines()[-1].startswith("shortest ")
    assert not os.listdir(tmp_path / "tmp")
    assert (tmp_path / "file").read_text() == ""


def _made(folder):
    folder.mkdir()
    return folder


@pytest.mark.parametrize("named", [None, "file", "file/deeper"])
def test_a_folder_for_the_process_alone(homeless, tmp_path, named):
    changes = {CACHE: str(tmp_path / named)} if named else {}
    told = _told(homeless | changes)
    assert told[0] == "False"
    assert not os.path.exists(told[1])


def test_a_home_is_used(homeless, tmp_path):
    lasting, folder = _told(homeless | {"HOME": str(_made(tmp_path / "home"))})
    assert lasting == "True"
    assert folder.startswith(str(tmp_path / "home"))


def test_a_named_folder_comes_first(homeless, tmp_path):
    lasting, folder = _told(homeless | {CACHE: str(tmp_path / "named" / "deeper")})
    assert lasting == "True"
    assert folder == str(tmp_path / "named" / "deeper")


def _told(environment):
    command = [sys.executable, "-c", TELL]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()
