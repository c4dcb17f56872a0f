"""A process that calls functions: what it answers, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from calcsim.strategy.apart import Apart, EndedError

PATIENCE = 60


@pytest.fixture(scope="module")
def apart():
    with Apart() as process:
        yield process


def fail(text):
    raise LookupError(text)


def sleeping_child():
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid


def is_running(process):
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def wait_until_gone(process):
    end = time.monotonic() + PATIENCE
    while is_running(process):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_it_returns_what_a_function_returns_in_another_process(apart):
    assert apart.call(os.getpid) != os.getpid()
    assert apart.call(os.getpid) == apart.call(os.getpid)
    assert apart.call(sorted, [3, 1, 2]) == [1, 2, 3]


def test_it_raises_what_a_function_raises_and_goes_on(apart):
    before = apart.call(os.getpid)
    with pytest.raises(LookupError, match="no such thing"):
        apart.call(fail, "no such thing")
    assert apart.call(os.getpid) == before


def test_many_can_work_at_a_time():
    with Apart() as one, Apart() as other:
        one.ask(os.getpid)
        other.ask(os.getpid)
        assert other.answer() != one.answer()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_who_takes_too_long_is_ended_and_replaced():
    with Apart() as process:
        slow = process.call(os.getpid)
        with pytest.raises(TimeoutError):
            process.call(time.sleep, 600, seconds=0.1)
        wait_until_gone(slow)
        fresh = process.call(os.getpid, seconds=PATIENCE)
        assert fresh != slow
    wait_until_gone(fresh)


def test_who_ends_before_it_answers_is_told_of():
    with Apart() as process:
        with pytest.raises(EndedError, match=r"^ended with status 5$"):
            process.call(os._exit, 5)
        with pytest.raises(EndedError, match=r"^ended with status 5$"):
            process.call(os.getpid)
    with Apart() as process, pytest.raises(EndedError, match=r"^was killed by SIGKILL$"):
        process.call(signal.raise_signal, signal.SIGKILL)


def test_it_is_deaf_to_interrupts():
    with Apart() as process:
        process.call(signal.raise_signal, signal.SIGINT)
        assert process.call(abs, -1) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_it_has_started_ends_with_it_if_it_leads_a_group():
    with Apart(own_group=True) as process:
        child = process.call(sleeping_child)
        assert is_running(child)
    wait_until_gone(child)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_does_not_outlive_a_process_that_leaves_it_behind():
    words = (
        "import os; from calcsim.strategy.apart import Apart; process = Apart(); process.start(); "
        "print(process.call(os.getpid))"
    )
    command = [sys.executable, "-c", words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    wait_until_gone(int(done.stdout))
