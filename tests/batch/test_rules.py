"""From words to rules: names, counts, and TOML files of people's own."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_files import rules_data, toml_of

from calcsim.batch.plan import make_plan
from calcsim.batch.rules import VariantFileError, load_variant, read_variant
from calcsim.game.variant import VariantError
from calcsim.game.variant_data import variant_from_data
from calcsim.game.variants import STANDARD, VARIANTS

TWO_STEPS = 'foundations = [{ start = "A", step = 2 }, { start = "K", step = 11 }]\n'


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize("name", VARIANTS)
def test_names(name):
    assert load_variant(name) is VARIANTS[name]


def test_counts():
    assert load_variant("standard:wastes=5,redeals=1").same_rules(
        STANDARD.with_counts(wastes=5, redeals=1)
    )
    assert load_variant("easy-5:wastes=5") is VARIANTS["easy-5"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("standrad", "there is no variant 'standrad'; did you mean 'standard'?"),
        ("xyz", "there is no variant 'xyz'; there are standard, three-wastes, "),
        ("", "there is no variant ''; there are standard, "),
        ("xyz.toml", "there is no variant file 'xyz.toml'"),
        ("nowhere/standard", "there is no variant file 'nowhere/standard'"),
        ("standard:wastes=x", "'wastes=x' is neither wastes=N nor redeals=N"),
        ("standard:decks=2", "'decks=2' is neither wastes=N nor redeals=N"),
        ("standard:wastes=3,", "'' is neither wastes=N nor redeals=N"),
        ("standard:wastes=3,wastes=4", "sets wastes twice"),
        ("standard:wastes=99", "wastes must be 1 to 52, not 99"),
        ("standard:wastes=" + "9" * 5000, "is neither wastes=N nor redeals=N"),
        ("standard:", "there is no variant 'standard:'"),
    ],
)
def test_words_that_mean_nothing(words, message):
    with pytest.raises(VariantError) as raised:
        load_variant(words)
    assert message in str(raised.value)
    assert not isinstance(raised.value, VariantFileError)


def test_a_file(file):
    path = file(f"wastes = 3\n{TWO_STEPS}")
    variant = load_variant(str(path))
    assert (variant.name, variant.summary) == ("mine", "rules of mine.toml")
    assert (variant.wastes, variant.prefilled) == (3, True)
    assert [foundation.start for foundation in variant.foundations] == [1, 13]
    assert load_variant("mine.toml") == variant
    assert load_variant("mine.toml:wastes=6").name == "mine:wastes=6"
    assert make_plan(["greedy"], variant="mine.toml", deals=1).variant == variant


def test_a_file_names_itself(file):
    path = file(f'name = "two-by-two"\nsummary = "two foundations"\n{TWO_STEPS}', "a b.toml")
    variant = read_variant(path)
    assert (variant.name, variant.summary) == ("two-by-two", "two foundations")


def test_a_file_without_the_suffix_is_found_by_its_path(file):
    file(TWO_STEPS, "rules")
    assert load_variant(os.path.join(".", "rules")).name == "rules"


def test_a_file_that_begins_with_a_byte_order_mark(file):
    file(b"\xef\xbb\xbf" + TWO_STEPS.replace("\n", "\r\n").encode())
    assert load_variant("mine.toml").name == "mine"


def test_a_bare_name_of_a_file_is_pointed_out(file):
    file(TWO_STEPS, "rules")
    with pytest.raises(VariantError, match=r"did you mean the file '\./rules'\?"):
        load_variant("rules")


@pytest.mark.parametrize("name", ["x" * 5000 + ".toml", "a\0b.toml"])
def test_a_name_that_no_file_can_have(name):
    with pytest.raises(VariantError, match="there is no variant file"):
        load_variant(name)


def test_a_name_is_quoted(file):
    file(f'name = "a\\nb"\n{TWO_STEPS}')
    with pytest.raises(VariantFileError) as raised:
        load_variant("mine.toml")
    assert "\n" not in str(raised.value)


def test_a_file_beside_is_suggested(file):
    file(TWO_STEPS)
    with pytest.raises(VariantError, match=r"did you mean the file 'mine\.toml'\?"):
        load_variant("mine")


@given(data=rules_data(), choose=st.data())
def test_any_rules_come_back_from_a_file(tmp_path_factory, data, choose):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(choose.draw(toml_of(data)))
    assert read_variant(path).same_rules(variant_from_data(data, "any"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "foundations must be a list"),
        ("foundations = [", "this is not TOML: "),
        (b"\xff\xfe", "this is not a text file in UTF-8"),
        ("# " + "x" * 2**20, "this is too long for the rules of a game"),
        ("a = " + "[" * 5000, "this is nested too deep"),
        (f"{TWO_STEPS}wastes = 0\n", "wastes must be 1 to 52, not 0"),
        (f'name = "standard"\n{TWO_STEPS}', "'standard' is the name of other rules already"),
    ],
)
def test_files_that_are_no_rules(file, text, message):
    path = file(text)
    with pytest.raises(VariantFileError) as raised:
        load_variant("mine.toml")
    assert str(raised.value).startswith(f"{path.name}: {message}")
    assert "\n" not in str(raised.value)


def test_a_folder_is_no_file_of_rules(tmp_path):
    (tmp_path / "mine.toml").mkdir()
    with pytest.raises(VariantFileError, match="it cannot be read: Is a directory"):
        load_variant(str(tmp_path / "mine.toml"))
