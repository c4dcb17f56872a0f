"""Rules at random, as data and as the TOML files that people would write of them."""

from hypothesis import strategies as st

RANK_NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


@st.composite
def rules_data(draw, most_wastes=8):
    """What a file of rules that can be played says."""
    decks = draw(st.integers(1, 2))
    prefilled = draw(st.booleans())
    start = st.one_of(st.integers(1, 13), st.just("random")) if prefilled else st.integers(1, 13)
    step = st.one_of(st.integers(1, 12), st.just("random"))
    foundation = st.fixed_dictionaries({"start": start, "step": step})
    return {
        "decks": decks,
        "wastes": draw(st.integers(1, most_wastes)),
        "redeals": draw(st.integers(0, 3)),
        "prefilled": prefilled,
        "foundations": draw(st.lists(foundation, min_size=1, max_size=4 * decks)),
    }


@st.composite
def toml_of(draw, data):
    """A TOML file of that data: starts as numbers or as cards, defaults said or not."""
    defaults = {"decks": 1, "wastes": 4, "redeals": 0, "prefilled": True}
    lines = ["# rules of the house"]
    for key, default in defaults.items():
        if data[key] != default or draw(st.booleans()):
            lines.append(f"{key} = {str(data[key]).lower()}")
    lines.append("foundations = [")
    for foundation in data["foundations"]:
        start, step = foundation["start"], foundation["step"]
        as_card = start != "random" and draw(st.booleans())
        written = f'"{RANK_NAMES[start - 1]}"' if as_card else _quoted(start)
        lines.append(f"  {{ start = {written}, step = {_quoted(step)} }},")
    return "\n".join([*lines, "]", ""])


def _quoted(value):
    return f'"{value}"' if isinstance(value, str) else str(value)
