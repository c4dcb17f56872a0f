"""Executors that work in this very process, for tests of what surrounds the playing."""

from concurrent.futures import Executor, Future

POOL = "calcsim.batch.workers.ProcessPool"
"""What these take the place of."""


def _carry_out(future, function, arguments):
    try:
        future.set_result(function(*arguments))
    except Exception as error:
        future.set_exception(error)


class InProcess(Executor):
    """Does its work at once."""

    def __init__(self, count, overdue=None):
        self.count = count

    def submit(self, function, /, *arguments):
        future = Future()
        _carry_out(future, function, arguments)
        return future


class Backwards(InProcess):
    """Leaves work waiting until a result is asked for; then the last that came is done first."""

    def __init__(self, count, overdue=None):
        super().__init__(count)
        self.waiting = []
        self.done = []

    def submit(self, function, /, *arguments):
        future = _Asked(self.work_off)
        self.waiting.append((future, function, arguments))
        return future

    def work_off(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            _carry_out(future, function, arguments)
            self.done.append(arguments)


class _Asked(Future):
    def __init__(self, work_off):
        super().__init__()
        self._work_off = work_off

    def result(self, timeout=None):
        self._work_off()
        return super().result(timeout)
