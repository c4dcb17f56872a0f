"""Deals from a file: how people write them, and what is refused."""

import pytest

from calcsim.batch.deck_file import DeckFileError, read_deck
from calcsim.game.cards import format_cards
from calcsim.game.deal import deal_cards
from calcsim.game.variants import STANDARD

DEALS = deal_cards(STANDARD, 5, 0, 3)
LINES = [format_cards(cards) for cards in DEALS]
TEXT = "\n".join(LINES) + "\n"
GERMAN = TEXT.replace("J", "B").replace("Q", "D")
SUITS = ["c", "H", "♠", "♦\ufe0f"]


def suited(text):
    return "\n".join(
        " ".join(card + SUITS[n % 4] for n, card in enumerate(line.split()))
        for line in text.splitlines()
    )


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "deals.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT.rstrip(),
        TEXT.replace("\n", "\r\n"),
        b"\xef\xbb\xbf" + TEXT.encode(),
        "# three deals\n\n" + TEXT.replace("\n", "  # one\n\n   \n"),
        TEXT.replace("10", "T"),
        TEXT.lower(),
        TEXT.lower().replace("10", "t"),
        TEXT.replace(" ", "\t  "),
        suited(TEXT),
        suited(TEXT.lower().replace("10", "t")),
    ],
    ids=[
        "as dealt",
        "no last line end",
        "Windows line ends",
        "byte order mark",
        "comments and blank lines",
        "T",
        "lower case",
        "lower case and t",
        "tabs",
        "suits",
        "suits, lower case and t",
    ],
)
def test_the_ways_to_write_a_deal(written, content):
    deck = read_deck(written(content), STANDARD)
    assert deck.cards.tolist() == DEALS.tolist()


def test_letters_of_other_languages(written):
    deck = read_deck(written(GERMAN), STANDARD, "de")
    assert deck.cards.tolist() == DEALS.tolist()
    assert deck.letters == "de"


def test_the_digest_is_of_the_ranks(written):
    digest = read_deck(written(TEXT), STANDARD).sha256
    assert read_deck(written(suited(TEXT)), STANDARD).sha256 == digest
    assert read_deck(written(GERMAN), STANDARD, "de").sha256 == digest
    assert read_deck(written(LINES[0]), STANDARD).sha256 != digest


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f"{LINES[0]}\n\n{LINES[1]} K\n", "line 3: 49 cards where a deal of standard holds 48"),
        (LINES[0].rpartition(" ")[0], "line 1: 47 cards where a deal of standard holds 48"),
        (f"{TEXT}{LINES[0].replace('Q', 'X', 1)}\n", "line 4: 'X' is no card"),
        (
            LINES[0].replace("K", "Q", 1),
            "line 1: 5 cards of rank Q where a deal of standard holds 4",
        ),
        (LINES[0].replace("J", "1", 1), "line 1: '1' is no card"),
        (GERMAN, "is no card: ranks are 2 to 10 and A T J Q K"),
        ("", "holds no deals"),
        ("\n  \n", "holds no deals"),
        (f"# {LINES[0]}\n", "holds no deals"),
        (TEXT.encode("utf-16"), "is not a text file in UTF-8"),
        (b"\xff\xfe\x00", "is not a text file in UTF-8"),
    ],
)
def test_a_line_that_is_no_deal_is_refused_with_its_number(written, content, words):
    path = written(content)
    with pytest.raises(DeckFileError) as raised:
        read_deck(path, STANDARD)
    assert words in str(raised.value)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["missing.txt", "."])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, name):
    with pytest.raises(DeckFileError, match="cannot read"):
        read_deck(tmp_path / name, STANDARD)
