"""A pool of processes goes on without those that die, and tells when a task takes them down."""

import os
import signal
import time
from pathlib import Path

import pytest

from calcsim.batch.process_pool import MOST_DEATHS, PoolError, ProcessPool


@pytest.fixture
def pool():
    pool = ProcessPool(2, never)
    yield pool
    pool.shutdown()


def never():
    return None


def die_until(file, deaths):
    """End this process, unless so many have been ended before."""
    with file.open("a") as log:
        log.write("x")
    if len(file.read_text()) <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return file.read_text()


def wait_for(seconds, value):
    time.sleep(seconds)
    return value


def fail(text):
    raise KeyError(text)


def is_there(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_work_is_done_by_other_processes_which_are_used_again(pool):
    done = {pool.submit(os.getpid).result() for _ in range(5)}
    assert done == set(pool.process_ids())
    assert os.getpid() not in done
    assert len(done) == 1


def test_what_is_raised_there_is_raised_here_and_the_process_lives_on(pool):
    first = pool.submit(os.getpid).result()
    with pytest.raises(KeyError, match="no such thing"):
        pool.submit(fail, "no such thing").result()
    assert pool.submit(os.getpid).result() == first


@pytest.mark.parametrize("deaths", range(1, MOST_DEATHS))
def test_work_that_a_process_died_of_is_done_by_another(pool, tmp_path, deaths):
    file = tmp_path / "log"
    assert pool.submit(die_until, file, deaths).result() == "x" * (deaths + 1)


def test_work_that_every_process_dies_of_is_given_up_and_the_rest_is_done(pool, tmp_path):
    deadly = pool.submit(die_until, tmp_path / "log", 1000)
    others = [pool.submit(pow, 2, n) for n in range(20)]
    assert [other.result() for other in others] == [2**n for n in range(20)]
    with pytest.raises(PoolError, match=f"^{MOST_DEATHS} worker processes"):
        deadly.result()
    assert (tmp_path / "log").read_text() == "x" * MOST_DEATHS


def test_processes_killed_while_they_send_large_results(pool):
    """Half a result must not be taken for a whole one, nor keep anyone waiting for the rest."""
    results = [pool.submit(bytes, 5 * 10**6) for _ in range(60)]
    for result in results[5::15]:
        result.result()
        os.kill(pool.process_ids()[0], signal.SIGKILL)
    assert {len(result.result(timeout=60)) for result in results} == {5 * 10**6}


def test_ending_it_ends_all_processes_at_once(pool):
    pool.submit(os.getpid).result()
    long = [pool.submit(wait_for, 1000, n) for n in range(6)]
    while len(pool.process_ids()) < 2:
        time.sleep(0.01)
    processes = pool.process_ids()
    since = time.monotonic()
    pool.shutdown(cancel_futures=True)
    assert time.monotonic() - since < 10
    assert not any(map(is_there, processes))
    assert all(future.done() for future in long)


def test_a_process_that_cannot_start_is_told(pool, monkeypatch, tmp_path):
    (tmp_path / "script.py").write_text("raise SystemExit(3)\n")
    monkeypatch.setattr("__main__.__file__", str(tmp_path / "script.py"), raising=False)
    monkeypatch.setattr("__main__.__spec__", None)
    with pytest.raises(PoolError, match="could not start"):
        pool.submit(os.getpid).result()
    assert Path(tmp_path / "script.py").exists()
