"""Ctrl-C waits for the end of what must not be left half done."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from calcsim.batch.interrupts import interrupts_held


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("other_thread", [False, True])
def test_an_interrupt_comes_after_the_block(other_thread):
    """Also where another thread of the process is there to take the signal."""
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    if other_thread:
        thread.start()
    steps = []

    def work():
        with interrupts_held():
            interrupt()
            time.sleep(0.02)
            steps.append("done")

    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        release.set()
    assert steps == ["done"]


def test_without_an_interrupt_nothing_happens():
    before = signal.getsignal(signal.SIGINT)
    with interrupts_held(), interrupts_held():
        pass
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_what_the_block_raises_comes_first():
    with pytest.raises(ValueError, match="first"), interrupts_held():
        raise ValueError("first")


def test_who_ignores_interrupts_still_does():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_held():
            interrupt()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_process_started_in_the_block_is_deaf():
    words = "import time; print(flush=True); time.sleep(0.3); print('slept')"
    with interrupts_held():
        process = subprocess.Popen([sys.executable, "-c", words], stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.communicate()[0] == b"slept\n"
    assert process.returncode == 0


def test_other_threads_are_left_alone():
    ran = []

    def hold():
        with interrupts_held():
            ran.append(True)

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    assert ran
