"""Commands that run in a session of their own, so that a test can end them and see who is left."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 90
PROMPTLY = 10
"""Two seconds are promised, where nothing else keeps the machine busy."""


@contextmanager
def sessions(folder, environment):
    """Starts `calcsim` with words, any number of times; whoever is left is killed at the end."""
    started = []

    def start(*words, **how):
        process = subprocess.Popen(
            [sys.executable, "-m", "calcsim", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=environment,
            start_new_session=True,
            **how,
        )
        started.append(process)
        return process

    try:
        yield start
    finally:
        for process in started:
            for left in processes_of(process.pid):
                os.kill(left, signal.SIGKILL)
            process.communicate()


def processes_of(session):
    """Ids of a session's processes that have not ended."""
    return list(_processes_of(session))


def _processes_of(session):
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            state, _, _, of_session = stat.rpartition(")")[2].split()[:4]
            if int(of_session) == session and state not in "ZX":
                yield int(entry.name)


def workers_of(session):
    """Those of them that play."""
    for process in processes_of(session):
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in words:
            yield process


def wait_until(is_so, seconds=PATIENCE):
    """Wait for something that is about to be so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)
