"""A command measured from outside: wall time, and memory of all its processes together."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
import time
from pathlib import Path

_EVERY_SECONDS = 0.05


@dataclasses.dataclass(frozen=True)
class Measured:
    """Wall seconds, peak memory (proportional share, MiB; 0: unknown), bytes of rows written."""

    seconds: float
    peak_mib: float
    row_bytes: int = 0

    def with_row_bytes(self, row_bytes: int) -> Measured:
        """The same, with the bytes of the rows."""
        return dataclasses.replace(self, row_bytes=row_bytes)


def measure(command: list[str], with_memory: bool = False) -> Measured:
    """Run a command to its end.

    Args:
        command: its words.
        with_memory: sample its memory twenty times a second, which takes time of its own.
    """
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak = [0.0]
    sampler = threading.Thread(target=_sample, args=(process, peak))
    if with_memory:
        sampler.start()
    status = process.wait()
    seconds = time.perf_counter() - start
    if with_memory:
        sampler.join()
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with status {status}")
    return Measured(seconds, peak[0])


def _sample(process: subprocess.Popen[bytes], peak: list[float]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], sum(_shared_out_mib(pid) for pid in _family(process.pid)))
        time.sleep(_EVERY_SECONDS)


def _family(pid: int) -> list[int]:
    family = [pid]
    for member in family:
        try:
            children = Path(f"/proc/{member}/task/{member}/children").read_text().split()
        except OSError:
            continue
        family.extend(map(int, children))
    return family


def _shared_out_mib(pid: int) -> float:
    """Memory of a process, pages that it shares with others counted in part."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    line = next(line for line in rollup.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) / 1024
