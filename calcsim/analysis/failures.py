"""What games that failed leave open: whoever could not finish one may have won it."""

from __future__ import annotations

from collections.abc import Callable

Outcomes = tuple[int, int, int, int]


def at_worst(outcomes: Outcomes, failed_b: int) -> Outcomes:
    """The outcomes of a pair if b had won its failed games, in the way that is worst for a.

    Which of the deals these are is not known: they are taken from those that neither has won, and
    only beyond that from those that a has won alone.

    Args:
        outcomes: deals that both have won, only a, only b, and neither; failed games are lost.
        failed_b: games among them that b could not finish.
    """
    both, only_a, only_b, neither = outcomes
    to_b = min(failed_b, neither)
    to_both = min(failed_b - to_b, only_a)
    return both + to_both, only_a - to_both, only_b + to_b, neither - to_b


def swapped(outcomes: Outcomes) -> Outcomes:
    """The same outcomes of b and a."""
    both, only_a, only_b, neither = outcomes
    return both, only_b, only_a, neither


def largest_p_value(
    p_value: Callable[[int, int], float], at_worst: Outcomes, at_best: Outcomes
) -> float:
    """The p-value that two win equally often, whatever had become of the games that failed.

    Args:
        p_value: of the deals that only the first and only the second has won.
        at_worst: the outcomes that are worst for the first.
        at_best: those that are best.
    """
    fewest_a, most_b = at_worst[1:3]
    most_a, fewest_b = at_best[1:3]
    if fewest_a < most_b and fewest_b < most_a:
        return 1.0
    return max(p_value(fewest_a, most_b), p_value(most_a, fewest_b))
