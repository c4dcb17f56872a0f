"""A strategy's source: what belongs to it, its digest, and how it is run."""

from __future__ import annotations

import hashlib
import random
import sys
from pathlib import Path

import pytest

from calcsim.strategy.errors import StrategyError
from calcsim.strategy.source import Source, read_source


def write(folder: Path, **files: str) -> Path:
    """Write files by name; the first is the strategy's."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder / f"{next(iter(files))}.py"


def sibling_names(source: Source) -> list[str]:
    return [file.module for file in source.siblings]


def test_the_digest_of_a_single_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes("VALUE = 'é'\r\n".encode())
    source = read_source(path)
    assert source.digest == hashlib.sha256(path.read_bytes()).hexdigest() == source.main.sha256
    assert source.siblings == source.requirements == ()


def test_siblings_are_found_through_one_another(tmp_path: Path) -> None:
    path = write(tmp_path, mine="from second import a", second="import third", third="", fourth="")
    assert sibling_names(read_source(path)) == ["second", "third"]


def test_imports_inside_functions_count(tmp_path: Path) -> None:
    path = write(tmp_path, mine="def f():\n    import second", second="")
    assert sibling_names(read_source(path)) == ["second"]


def test_siblings_that_import_one_another_are_read_once(tmp_path: Path) -> None:
    path = write(tmp_path, mine="import a", a="import b\nimport mine", b="import a")
    assert sibling_names(read_source(path)) == ["a", "b"]


def test_the_digest_changes_with_a_sibling(tmp_path: Path) -> None:
    files = {"mine": "import second", "second": "import third", "third": "X = 1"}
    before = read_source(write(tmp_path, **files)).digest
    assert read_source(write(tmp_path, **files)).digest == before
    assert read_source(write(tmp_path, **files, other="X = 2")).digest == before
    assert read_source(write(tmp_path, **files | {"third": "X = 2"})).digest != before


def test_the_digest_tells_siblings_of_other_names_apart(tmp_path: Path) -> None:
    one = write(tmp_path / "one", mine="import a, b", a="X = 1", b="X = 2")
    two = write(tmp_path / "two", mine="import a, b", a="X = 2", b="X = 1")
    assert read_source(one).digest != read_source(two).digest


def test_the_digest_does_not_depend_on_the_folder(tmp_path: Path) -> None:
    files = {"mine": "import second", "second": "X = 1"}
    one, two = (write(tmp_path / name, **files) for name in ("one", "two"))
    assert read_source(one).digest == read_source(two).digest


def test_other_distributions_are_named_with_their_version(tmp_path: Path) -> None:
    source = read_source(write(tmp_path, mine="import pytest, numpy, numba, calcsim"))
    assert source.requirements == (f"pytest {pytest.__version__}",)
    assert source.digest != source.main.sha256


def test_files_never_stand_in_for_the_standard_library(tmp_path: Path) -> None:
    raising = "raise AssertionError('this is not the real one')"
    code = "import random, numpy, os.path\nfrom numpy import array"
    source = read_source(write(tmp_path, mine=code, random=raising, os=raising, numpy=raising))
    assert source.siblings == ()
    assert vars(source.execute())["random"] is random


def test_a_file_may_be_called_like_a_module_of_the_standard_library(tmp_path: Path) -> None:
    module = read_source(write(tmp_path, random="X = 1")).execute()
    assert vars(module)["X"] == 1
    assert sys.modules["random"] is random


def test_relative_imports_of_a_module_in_a_package_are_siblings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "from . import first\nfrom .second import X"
    path = write(tmp_path / "apackage", mine=code, first="X = 1", second="X = 2", __init__="")
    monkeypatch.syspath_prepend(tmp_path)
    source = read_source(path, "apackage.mine")
    assert sibling_names(source) == ["apackage.first", "apackage.second"]
    module = source.execute()
    assert (vars(vars(module)["first"])["X"], vars(module)["X"]) == (1, 2)

    write(tmp_path / "apackage", first="X = 10")
    changed = read_source(path, "apackage.mine")
    assert changed.digest != source.digest
    assert vars(vars(changed.execute())["first"])["X"] == 10


def test_a_relative_import_outside_a_package_is_no_other_file(tmp_path: Path) -> None:
    path = write(tmp_path, mine="from . import second", second="")
    source = read_source(path)
    assert sibling_names(source) == ["second"]
    with pytest.raises(ImportError, match="relative import"):
        source.execute()


class TestExecute:
    def test_runs_what_was_read_whatever_the_files_are_now(self, tmp_path: Path) -> None:
        path = write(tmp_path, mine="from second import X", second="X = 1")
        source = read_source(path)
        (tmp_path / "second.py").write_text("X = 2")
        path.unlink()
        assert vars(source.execute())["X"] == 1

    def test_makes_a_new_module_each_time(self, tmp_path: Path) -> None:
        code = "import second\nsecond.X.append(1)"
        source = read_source(write(tmp_path, mine=code, second="X = []"))
        first, again = source.execute(), source.execute()
        assert first is not again
        assert vars(vars(again)["second"])["X"] == [1]

    def test_leaves_no_module_of_that_name_behind(self, tmp_path: Path) -> None:
        source = read_source(write(tmp_path, mine="import asibling", asibling=""))
        source.execute()
        assert not {"mine", "asibling"} & sys.modules.keys()

    def test_gives_back_a_module_that_a_sibling_stood_in_for(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = type(sys)("asibling")
        monkeypatch.setitem(sys.modules, "asibling", other)
        source = read_source(write(tmp_path, mine="import asibling", asibling="X = 1"))
        assert vars(source.execute())["asibling"] is not other
        assert sys.modules["asibling"] is other

    def test_takes_nothing_from_the_path_of_a_file_that_fails(self, tmp_path: Path) -> None:
        source = read_source(write(tmp_path, mine="import asibling", asibling="1 / 0"))
        before = list(sys.meta_path)
        with pytest.raises(ZeroDivisionError):
            source.execute()
        assert sys.meta_path == before
        assert "asibling" not in sys.modules


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"X = 1\ndef place(table, card)\n", "line 2: expected ':'\n    def place(table, card)\n"),
        (b"X = '\xff'\n", "'utf-8' codec can't decode byte 0xff"),
        (b"X = 1\0\n", "null bytes"),
    ],
    ids=["syntax", "encoding", "null byte"],
)
def test_what_is_not_python_is_shown(tmp_path: Path, content: bytes, shown: str) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(content)
    with pytest.raises(StrategyError) as raised:
        read_source(path)
    assert str(raised.value).startswith(str(path))
    assert shown in str(raised.value)


def test_a_syntax_error_in_a_sibling_names_the_sibling(tmp_path: Path) -> None:
    path = write(tmp_path, mine="import second", second="X = 1\nX = (")
    with pytest.raises(StrategyError, match=r"second\.py, line 2: .*never closed"):
        read_source(path)


def test_a_mark_stands_under_the_fault(tmp_path: Path) -> None:
    with pytest.raises(StrategyError) as raised:
        read_source(write(tmp_path, mine="def place(table, card)"))
    *_, line, mark = str(raised.value).splitlines()
    assert line[mark.index("^") - 1] == ")"


def test_a_file_that_cannot_be_read_is_an_error_of_the_strategy(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"cannot read .*mine\.py: No such file"):
        read_source(tmp_path / "mine.py")
