"""Compiled entry points, from disk where they are there."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit, typeof
from numba.core import config
from numba.core.bytecode import FunctionIdentity

from calcsim.engine.code_cache import code_cache


def compiled(function: Callable[..., Any], key: str, arguments: tuple[Any, ...]) -> Any:
    """`function` compiled for the types of `arguments`.

    Args:
        function: the entry point; what it calls is compiled into it.
        key: names all that its code depends on beside the engine and the types.
        arguments: examples of what it will be called with.

    Raises:
        numba.core.errors.NumbaError: it does not compile.
    """
    if config.DISABLE_JIT:
        return function
    types = tuple(typeof(argument) for argument in arguments)
    return _compiled(function, key, types)


def is_kept(function: Callable[..., Any], key: str, arguments: tuple[Any, ...]) -> bool:
    """Whether that needs no compiling: the code is on disk already."""
    if config.DISABLE_JIT:
        return True
    types = tuple(typeof(argument) for argument in arguments)
    return code_cache().holds(_entry_key(function, key, types))


@cache
def _compiled(function: Callable[..., Any], key: str, types: tuple[Any, ...]) -> Any:
    entry_key = _entry_key(function, key, types)
    is_new = not code_cache().holds(entry_key)
    _number_functions_anew()
    with code_cache().kept_under(entry_key):
        # Without the interpreter's lock, so that another thread can watch over the games.
        entry = njit(cache=True, nogil=True)(function)
    try:
        entry.compile(types)
    except OSError:  # the disk is full, say: then the code is for this process alone
        entry = njit(nogil=True)(function)
        entry.compile(types)
    if is_new:
        code_cache().prune()
    return entry


def _number_functions_anew() -> None:
    """Have the functions that are compiled from now on named as no other process names them.

    numba counts functions from 1 in every process, and names the code of each by its number and
    its types. But records are numbered as well, and arrays in records are named without their
    shape: code for one shape of game, loaded beside code for another that a process before had
    compiled, could go by the same name, and be called in its stead.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))


def _entry_key(function: Callable[..., Any], key: str, types: tuple[Any, ...]) -> str:
    return f"{function.__name__}\n{key}\n{types}"
