"""What others have published, and about which game."""

import pytest

from calcsim.analysis.published import CLAIMS, claims_about
from calcsim.game.variants import STANDARD, VARIANTS


def test_claims_are_about_variants_in_their_order():
    order = list(VARIANTS)
    places = [order.index(claim.variant) for claim in CLAIMS]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("variant", "claims"),
    [
        (STANDARD, 5),
        (VARIANTS["three-wastes"], 3),
        (STANDARD.with_counts(wastes=3), 3),
        (VARIANTS["no-starters"].with_counts(wastes=3), 1),
        (VARIANTS["giant"], 0),
        (STANDARD.with_counts(redeals=1), 0),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_claims_belong_to_rules_not_to_names(variant, claims):
    assert len(claims_about(variant)) == claims
