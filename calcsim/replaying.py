"""From a plan to games move by move: the call behind `calcsim replay`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from calcsim.batch.plan import Plan
from calcsim.engine.fault import Fault
from calcsim.engine.games import TracedGame, trace_game
from calcsim.game.deal import deal_cards
from calcsim.game.variant import Variant
from calcsim.strategy.compile_error import describe_compile_error
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import ready_player


@dataclass(frozen=True)
class Replay:
    """A game that was played for its moves.

    Attributes:
        seed: of the deal.
        deal: its number.
        strategy: label of who played.
        variant: the rules.
        cards: the shuffled cards, starters that this deal drew in front.
        game: what happened.
    """

    seed: int
    deal: int
    strategy: str
    variant: Variant
    cards: list[int]
    game: TracedGame

    @property
    def fault(self) -> Fault | None:
        """What ended the game before its time, or None."""
        return self.game.fault

    def as_data(self) -> dict[str, Any]:
        """The game as JSON holds it. A game that a fault ended has no result."""
        foundations = [{"start": f.start, "step": f.step} for f in self.game.foundations]
        data = {
            "seed": self.seed,
            "deal": self.deal,
            "strategy": self.strategy,
            "variant": self.variant.as_data() | {"foundations": foundations},
            "stock": self.cards[self.variant.drawn_starters :],
            "moves": self.game.moves,
        }
        if self.fault is None:
            cards = sum(self.game.final)
            data["result"] = {
                "won": cards == self.variant.winning_cards,
                "foundation_cards": cards,
                "foundations": self.game.final,
                "direct_plays": self.game.direct_plays,
            }
        return data


def replay(plan: Plan) -> Iterator[Replay]:
    """Play a plan's deals with each of its strategies, and keep every move.

    Raises:
        StrategyError: a strategy does not compile, or its arrays cannot be had.
    """
    for number in range(plan.first_deal, plan.first_deal + plan.deals):
        deals = plan.deals_from(number, 1)
        cards = deals.cards
        if cards is None:
            cards = deal_cards(plan.variant, plan.seed, number, 1)
        for strategy in plan.strategies:
            player = ready_player(strategy, plan.variant)
            try:
                game = trace_game(player, plan.variant, deals)
            except Exception as error:
                text = describe_compile_error(strategy, plan.variant, error)
                raise StrategyError(text) from None
            yield Replay(plan.seed, number, strategy.label, plan.variant, cards[0].tolist(), game)
