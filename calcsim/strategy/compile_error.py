"""Why a strategy does not compile, in a few lines about its own file."""

from __future__ import annotations

import ast
import re
from typing import Any

from numba import int8, typeof, types

from calcsim.engine.games import make_ready
from calcsim.game.layout import lay_out_variant
from calcsim.game.variant import Variant
from calcsim.game.view import TableView
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.source import SourceFile
from calcsim.strategy.strategy import Strategy, ready_player

_LINE = r"""at {path} \((\d+)\)|File "[^"]*{name}", line (\d+)"""


def compile_strategy(strategy: Strategy, variant: Variant) -> None:
    """Compile what a strategy needs for a variant.

    Raises:
        StrategyError: it does not compile; the text says what is wrong and in which line.
    """
    player, layout = ready_player(strategy, variant), lay_out_variant(variant)
    try:
        make_ready(player, layout)
    except Exception as error:
        raise StrategyError(describe_compile_error(strategy, variant, error)) from None


def describe_compile_error(strategy: Strategy, variant: Variant, error: Exception) -> str:
    """What is wrong and in which line.

    Args:
        strategy: it does not compile.
        variant: for its table.
        error: what compiling the whole engine with it said, which is long and about the engine.
    """
    found = _error_of_its_own(strategy, variant)
    if isinstance(found, str):
        return f"'{strategy.label}' ({strategy.source.main.path}): {found}"
    text = str(found or error)
    where = _where(strategy, text) or _where_named(strategy, text)
    return f"'{strategy.label}' does not compile: {_reason(text)}{where}"


def _error_of_its_own(strategy: Strategy, variant: Variant) -> Exception | str | None:
    """Compile the strategy's function alone: what that raises, or what is wrong with its answer."""
    player = ready_player(strategy, variant)
    table = TableView(typeof(lay_out_variant(variant).tables).dtype)
    decide: Any = player.value.decide
    try:
        decide.compile((table, int8, *(typeof(extra) for extra in player.extras)))
    except Exception as error:
        return error
    returned = decide.nopython_signatures[0].return_type
    if isinstance(returned, types.Integer):
        return None
    if isinstance(returned, (types.Optional, types.NoneType)):
        return f"{decide.__name__}() must return a whole number on every path, and there is none"
    return f"{decide.__name__}() must return a whole number, not {returned}"


def _reason(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    specific = [line for line in lines if re.match(r"\w*(Error|Exception): \S", line)]
    general = [line for line in lines if not line.startswith(("Failed in", "During:", "File "))]
    return (specific[-1:] or general[:1] or ["numba gives no reason"])[0]


def _where(strategy: Strategy, text: str) -> str:
    """The last line of one of the strategy's files that the text names."""
    last, where = -1, ""
    for file in (strategy.source.main, *strategy.source.siblings):
        for match in re.finditer(_pattern(file), text):
            if match.start() > last:
                last = match.start()
                where = _show_line(file, int(next(filter(None, match.groups()))))
    return where


def _where_named(strategy: Strategy, text: str) -> str:
    """The first line that uses a name which numba says is not defined: it does not say where."""
    match = re.search(r"name '(\w+)' is not defined", text)
    for file in (strategy.source.main, *strategy.source.siblings) if match else ():
        for node in ast.walk(ast.parse(file.content)):
            if isinstance(node, ast.Name) and match and node.id == match[1]:
                return _show_line(file, node.lineno)
    return ""


def _pattern(file: SourceFile) -> str:
    name = file.path.rpartition("/")[2]
    return _LINE.format(path=re.escape(file.path), name=re.escape(name))


def _show_line(file: SourceFile, number: int) -> str:
    lines = file.content.decode(errors="replace").splitlines()
    shown = lines[number - 1].strip() if number <= len(lines) else ""
    return f"\n  {file.path}, line {number}:\n    {shown}"
