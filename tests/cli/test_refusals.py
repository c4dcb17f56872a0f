"""Words of a call that are off: one line says what, and the exit status is 2."""

import pytest

LARGEST = 2**64 - 1
MANY = f"1 to {LARGEST} (2**64 - 1)"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("rnu greedy", "No such command 'rnu'. Did you mean 'run'?"),
        ("xyzzy", "No such command 'xyzzy'. (see 'calcsim --help')"),
        ("run", "Missing argument 'STRATEGY...'"),
        ("replay", "Missing argument 'STRATEGY'"),
        ("replay greedy random", "unexpected extra argument (random)"),
        ("run greeedy", "there is no strategy 'greeedy'; did you mean 'greedy'?"),
        ("run xyzzy", "there is no strategy 'xyzzy'; 'calcsim strategies' lists them"),
        ("run greedy nead-order", "did you mean 'need-order'?"),
        ("replay greeedy", "did you mean 'greedy'?"),
        ("strategies greeedy", "did you mean 'greedy'?"),
        (
            "run greedy --variant standrad",
            "there is no variant 'standrad'; did you mean 'standard'",
        ),
        ("run greedy --variant xyzzy", "there is no variant 'xyzzy'; there are standard"),
        ("deal --variant standrad", "did you mean 'standard'?"),
        ("variants standrad", "did you mean 'standard'?"),
        ("run greedy --variant standard:waste=3", "'waste=3' is neither wastes=N nor redeals=N"),
        ("run greedy --variant standard:wastes=x", "is neither wastes=N nor redeals=N"),
        ("run greedy --dealz 3", "No such option '--dealz'. (Did you mean"),
        ("run greedy --xyzzy", "No such option '--xyzzy'"),
        ("run greedy --deals", "Option '--deals' requires an argument"),
        ("run greedy --deals 0", f"0 is out of range: {MANY}"),
        ("run greedy --deals -1", f"-1 is out of range: {MANY}"),
        ("run greedy --deals 1e20", f"1e20 is out of range: {MANY}"),
        ("run greedy --deals 1.5", "'1.5' is no whole number; write 1000000, 1e6 or 1M"),
        ("run greedy --deals abc", "'abc' is no whole number"),
        ("run greedy --seed -1", f"-1 is out of range: 0 to {LARGEST} (2**64 - 1)"),
        (f"run greedy --seed {2**64}", f"{2**64} is out of range"),
        ("run greedy --workers 0", "0 is out of range"),
        ("run greedy --shard-deals 0", "0 is out of range"),
        ("run greedy --confidence 0", "0.0 is not in the range 0<x<1"),
        ("run greedy --confidence 1", "1.0 is not in the range 0<x<1"),
        ("run greedy --confidence x", "'x' is not a valid float"),
        ("run greedy --confidence nan", "'nan' is no number"),
        ("run greedy --audit nan", "'nan' is no portion: write 1% or 0.01, up to 100%"),
        ("run greedy --audit 1.5", "'1.5' is no portion"),
        ("run greedy --audit -1%", "'-1%' is no portion"),
        ("reproduce run --sample 0", "'0' is no portion"),
        ("run greedy --precision nan", "'nan' is no number"),
        ("run greedy --letters de", "--letters goes with --deck"),
        ("run greedy --out=", "Invalid value for '--out': it is empty: name a path"),
        ("run greedy --deck=", "Invalid value for '--deck': it is empty: name a path"),
        ("run greedy --wastes 0", "0 is out of range: 1 to 52"),
        ("run greedy --wastes 60", "60 is out of range: 1 to 52"),
        ("deal --wastes 60", "60 is out of range: 1 to 52"),
        ("run greedy --redeals 101", "101 is out of range: 0 to 100"),
        (f"run greedy --first-deal {2**64}", "out of range"),
        (
            f"run greedy --first-deal {LARGEST} --deals 2",
            f"deals {LARGEST} to {2**64} do not exist",
        ),
        (f"replay greedy --first-deal {LARGEST} --deals 2", "do not exist"),
        (f"deal --first-deal {LARGEST} --deals 2", f"the last deal would be {2**64}"),
        ("run greedy greedy", "two strategies are called 'greedy'"),
        ("run king-pile king-pile:release=3", "two strategies are called 'king-pile'"),
        ("run king-pile:relase=2", "there is no parameter 'relase'; did you mean 'release'?"),
        ("run greedy:release=2", "there is no parameter 'release' (it has none)"),
        ("run king-pile:release=6", "parameter 'release' takes 0 to 5, not 6"),
        ("run king-pile:release=-1", "parameter 'release' takes 0 to 5, not -1"),
        ("run king-pile:release=2.5", "parameter 'release' takes a whole number, not '2.5'"),
        ("run king-pile:release=", "'release=' in 'king-pile:release=' is no parameter"),
        ("run king-pile:release=2,x", "'x' in 'king-pile:release=2,x' is no parameter"),
        ("run king-pile:release", "there is no strategy 'king-pile:release'"),
        ("run missing.py", "there is no strategy file 'missing.py'"),
        ("run ./missing.py:depth=3", "there is no strategy file './missing.py'"),
        ("run greedy --letters xx", "'xx' is not one of 'en', 'de', 'nl', 'it', 'fr'"),
        ("deal --format yaml", "'yaml' is not one of 'text', 'json'"),
        ("replay greedy --format yaml", "'yaml' is not one of 'text', 'json'"),
        ("deal 5", "unexpected extra argument (5)"),
    ],
)
def test_it_says_what_is_off(refused, words, says):
    line, status = refused(*words.split())
    assert says in line
    assert "--help')" in line
    assert status == 2


@pytest.mark.parametrize("deals", ["1_000", "1e3", "1k"])
def test_numbers_of_deals_that_will_do(calcsim, deals):
    ended = calcsim("run", "greedy", "--deals", deals, "--seed", 1, "--no-deals", "--out", "run")
    assert ended.status == 0
    assert " 1,000 " in ended.out


def test_a_million_and_the_largest_seed_will_do(calcsim):
    words = ["run", "greedy", "--deals", "1M", "--seed", LARGEST, "--no-deals", "--quiet"]
    ended = calcsim(*words)
    assert ended.status == 0
    assert " 1,000,000 " in ended.out


def test_a_word_that_is_a_file_is_pointed_out(calcsim, tmp_path):
    (tmp_path / "mine.py").write_text("def place(table, card):\n    return 0\n")
    ended = calcsim("run", "mine")
    assert ended.status == 2
    assert "did you mean the file 'mine.py'?" in ended.err
