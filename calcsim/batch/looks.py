"""When a run that may stop early looks at its data.

At fixed numbers of deals, so that how many workers there are decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

_FIRST = 1000
_GROWTH = 10
"""Each look comes after a tenth more deals."""


def look_ends(most: int) -> Iterator[int]:
    """Numbers of deals after which the data is looked at: 1000, 2000, ... and at last `most`."""
    deals = min(_FIRST, most)
    while deals < most:
        yield deals
        deals = min(most, deals + max(_FIRST, deals // _GROWTH))
    yield most
