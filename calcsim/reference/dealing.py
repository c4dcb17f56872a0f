"""The deal, format 1: what the seed and the number of a deal decide before and in a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calcsim.reference.draws import die_throws
from calcsim.reference.game import Game, Reshuffle
from calcsim.reference.philox import philox_block
from calcsim.reference.rules import Rules, cards_to_shuffle
from calcsim.reference.shuffling import attempt_draws, bound_groups, swap_by_draws

DEAL_STREAM = 0
FIRST_REDEAL_STREAM = 2


def deal(seed: int, index: int, cards: Sequence[int], stream: int = DEAL_STREAM) -> list[int]:
    """Return the cards as deal `index` of the seed shuffles them, next card first.

    Streams: 0 for the fresh deal of the ascending cards, 2 + r for redeal r of the gathered
    cards. Each attempt draws anew, for the cards as given, from blocks of its own.
    """
    groups = bound_groups(len(cards))
    blocks = -(-len(groups) // 4)  # rounded up
    attempt = 0
    while True:
        first = 1 + attempt * blocks
        words = [
            word
            for number in range(first, first + blocks)
            for word in philox_block(seed, (number, stream, index, 0))
        ]
        draws = attempt_draws(words, groups)
        if draws is not None:
            return swap_by_draws(cards, draws)
        attempt += 1


def reshuffle_of(seed: int, index: int) -> Reshuffle:
    """Return the reshuffle that belongs to deal `index` of the seed."""
    return lambda number, gathered: deal(seed, index, gathered, FIRST_REDEAL_STREAM + number)


def rules_of_deal(rules: Rules, seed: int, index: int, cards: Sequence[int]) -> Rules:
    """Return the rules with what deal `index` of the seed makes of all that is left to chance.

    Starters are the first of the shuffled cards; a die is thrown for each step that is not fixed.
    """
    starters, die = iter(cards), die_throws(seed, index)
    return replace(
        rules,
        starts=tuple(next(starters) if start is None else start for start in rules.starts),
        steps=tuple(next(die) if step is None else step for step in rules.steps),
    )


def new_game(rules: Rules, seed: int, index: int, cards: Sequence[int] | None = None) -> Game:
    """Return deal `index` of the seed, ready to be played.

    Cards that are given stand in for the fresh deal alone: dice and redeals are the seed's.
    """
    if cards is None:
        cards = deal(seed, index, cards_to_shuffle(rules))
    stock = cards[rules.starts.count(None) :]  # the starters that were drawn have left
    return Game(rules_of_deal(rules, seed, index, cards), stock, reshuffle_of(seed, index))
