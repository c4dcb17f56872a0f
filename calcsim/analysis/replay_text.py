"""A replay as a player would lay it out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calcsim.game.cards import format_cards, rank_name

_EMPTY = "-"


def replay_text(replay: dict[str, Any]) -> str:
    """The table after every turn, and what was done to get there; numbers count from 1.

    Args:
        replay: a game as `calcsim replay --format json` has it.
    """
    return "\n".join(_lines(replay))


def _lines(replay: dict[str, Any]) -> Iterator[str]:
    variant = replay["variant"]
    table = _Table(variant)
    yield f"{replay['strategy']}, {variant['name']}, deal {replay['deal']} of seed {replay['seed']}"
    foundations = variant["foundations"]
    yield (
        f"foundations: from {format_cards(f['start'] for f in foundations)} "
        f"in steps of {' '.join(str(f['step']) for f in foundations)}"
    )
    yield f"stock: {format_cards(replay['stock'])}"
    turn = 0
    done: list[str] = []
    for move in replay["moves"]:
        if move["move"] in ("turn", "redeal"):
            yield from _turn(done, table)
            done = []
        if move["move"] == "turn":
            turn += 1
            done.append(f"{turn}. {rank_name(move['card'])}")
        elif move["move"] == "redeal":
            table.redeal()
            yield f"\nredeal: {format_cards(move['stock'])}"
        else:
            done.append(table.make(move))
    yield from _turn(done, table)
    if "result" in replay:
        yield _result(replay["result"], variant)


def _turn(done: list[str], table: _Table) -> Iterator[str]:
    if done:
        head, *rest = done
        yield f"\n{head} {', '.join(rest)}"
        yield from table.lines()


def _result(result: dict[str, Any], variant: dict[str, Any]) -> str:
    outcome = "won" if result["won"] else "lost"
    cards = 13 * len(variant["foundations"])
    return (
        f"\n{outcome}: {result['foundation_cards']} of {cards} cards on the foundations, "
        f"{result['direct_plays']} of them straight from the stock"
    )


class _Table:
    """Foundations and wastes as lists of ranks."""

    def __init__(self, variant: dict[str, Any]) -> None:
        starters = [f["start"] for f in variant["foundations"]]
        self.foundations: list[list[int]] = [[s] if variant["prefilled"] else [] for s in starters]
        self.wastes: list[list[int]] = [[] for _ in range(variant["wastes"])]

    def make(self, move: dict[str, Any]) -> str:
        """Make a move, and say it in words."""
        card = move["card"]
        if move["move"] == "place":
            self.wastes[move["waste"]].append(card)
            return f"to waste {move['waste'] + 1}"
        self.foundations[move["foundation"]].append(card)
        to = f"to foundation {move['foundation'] + 1}"
        if move["from"] == "stock":
            return to
        self.wastes[move["from"]].pop()
        return f"{rank_name(card)} from waste {move['from'] + 1} {to}"

    def redeal(self) -> None:
        """Take up the wastes."""
        for waste in self.wastes:
            waste.clear()

    def lines(self) -> Iterator[str]:
        """Tops of the foundations with their numbers of cards; the wastes, bottom to top."""
        tops = [f"{rank_name(p[-1])} ({len(p)})" if p else _EMPTY for p in self.foundations]
        yield f"   foundations  {'  '.join(f'{top:<7}' for top in tops)}".rstrip()
        for number, waste in enumerate(self.wastes, start=1):
            yield f"   waste {number:<6} {format_cards(waste) or _EMPTY}"
