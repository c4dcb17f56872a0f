"""Files appear whole or not at all."""

import errno
import os

import pytest

from calcsim.batch import files
from calcsim.batch.files import write_whole


def full_disk(*arguments):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_is_made_in_a_folder_that_is_there_and_no_other(tmp_path):
    write_whole(tmp_path / "file", lambda file: file.write(b"content"))
    assert (tmp_path / "file").read_bytes() == b"content"
    assert os.listdir(tmp_path) == ["file"]
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "gone" / "file", lambda file: file.write(b"content"))
    assert os.listdir(tmp_path) == ["file"]


def test_nothing_bears_the_name_before_it_is_whole(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def write(file):
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"

    write_whole(path, write)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("what", ["write", "fsync", "interrupt"])
def test_what_cannot_be_written_leaves_nothing_and_what_was_there(tmp_path, monkeypatch, what):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    if what == "fsync":
        monkeypatch.setattr(files.os, "fsync", full_disk)

    def write(file):
        file.write(b"half")
        if what == "write":
            full_disk()
        if what == "interrupt":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt if what == "interrupt" else OSError):
        write_whole(path, write)
    assert os.listdir(tmp_path) == ["file"]
    assert path.read_bytes() == b"old"


def test_a_file_system_that_cannot_sync_folders_will_do(tmp_path, monkeypatch):
    monkeypatch.setattr(files.os, "open", full_disk)
    write_whole(tmp_path / "file", lambda file: file.write(b"content"))
    assert (tmp_path / "file").read_bytes() == b"content"
