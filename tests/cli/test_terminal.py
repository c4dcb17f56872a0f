"""On a terminal, lines keep to its width and progress is drawn on standard error."""

import os
import struct
import subprocess
import sys
import threading

import pytest
from wcwidth import wcswidth

fcntl = pytest.importorskip("fcntl")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

RUN = ["run", "greedy", "king-pile:release=5", "--seed", "1", "--deals", "2000", "--workers", "1"]


class Terminal:
    """A pseudo-terminal of some width that remembers what is written to it."""

    def __init__(self, columns):
        self._reader, self.end = pty.openpty()
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._read = b""
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self):
        try:
            while block := os.read(self._reader, 4096):
                self._read += block
        except OSError:  # the other end is closed
            pass

    def text(self):
        """All that was written, once nobody else can write any more."""
        os.close(self.end)
        self._thread.join()
        os.close(self._reader)
        return self._read.decode()


def run_on_terminal(columns, words, environment, folder):
    out, err = Terminal(columns), Terminal(columns)
    done = subprocess.run(
        [sys.executable, "-m", "calcsim", *words],
        stdout=out.end,
        stderr=err.end,
        stdin=subprocess.DEVNULL,
        env=environment | {"TERM": "xterm"},
        cwd=folder,
        timeout=120,
    )
    return done.returncode, out.text(), err.text()


@pytest.mark.parametrize("columns", [40, 80])
def test_the_width_is_kept(columns, environment, tmp_path):
    status, out, err = run_on_terminal(columns, RUN, environment, tmp_path)
    assert status == 0
    assert "greedy" in out
    assert max(map(wcswidth, out.split("\r\n"))) <= columns
    assert "\x1b" not in out
    assert "deals" in err
    assert "0%" in err
    drawn = [part for part in err.replace("\n", "\r").split("\r") if "deals" in part]
    assert max(wcswidth(part) for part in drawn if "results/" not in part) <= columns
    assert err.rstrip("\r\n").split("\r")[-1].strip().startswith("written to results/")


def test_quiet_draws_nothing(environment, tmp_path):
    words = [*RUN, "--quiet", "--no-deals"]
    status, out, err = run_on_terminal(80, words, environment, tmp_path)
    assert status == 0
    assert "greedy" in out
    assert err == ""


@pytest.mark.parametrize("force", [{}, {"FORCE_COLOR": "1", "TERM": "xterm-256color"}])
def test_elsewhere_nothing_is_drawn(process, environment, force):
    ended = process(*RUN, "--no-deals", env=environment | force)
    assert ended.status == 0
    written = ended.out + ended.err
    assert "\x1b" not in written
    assert "\r" not in written
    assert "%|" not in written
