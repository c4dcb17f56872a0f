"""Standings: which rank each strategy of a tournament has surely earned."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def ranks(wins: Mapping[str, int], surely_better: Collection[tuple[str, str]]) -> dict[str, int]:
    """Ranks strategies by what the data shows: on rank r, r - 1 others are surely better.

    Strategies that the data does not tell apart from each other or from those above share a rank.
    As each rank counts comparisons of its own strategy alone, it is no chain of near neighbours:
    if only the first and the last of three are separated, the ranks are 1, 1, 2. For the same
    reason ranks need not rise all the way down the standings: a strategy with fewer wins, but also
    a vaguer comparison with the first, may have the better rank.

    Args:
        wins: of each strategy, in any order.
        surely_better: the separated pairs, the better strategy first.

    Returns:
        The rank of each strategy, in the order of the standings: by wins, the most first, and by
        name where they are equal.

    Raises:
        KeyError: a pair names a strategy without wins.
        ValueError: a strategy is surely better than one that has as many wins or more.
    """
    for better, worse in surely_better:
        if wins[better] <= wins[worse]:
            raise ValueError(f"{better!r} is no better than {worse!r}: it has no more wins")

    standings = sorted(wins, key=lambda strategy: (-wins[strategy], strategy))
    beaten = [worse for _, worse in set(surely_better)]
    return {strategy: 1 + beaten.count(strategy) for strategy in standings}
