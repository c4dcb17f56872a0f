"""What `import calcsim` offers, and that it costs nothing until it is used."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import calcsim

TREE = ast.parse(Path(calcsim.__file__).read_text(encoding="utf-8"))


def names_for_type_checkers() -> set[tuple[str, str]]:
    """Module and name of every import under `if TYPE_CHECKING:`."""
    blocks = [
        node.body
        for node in TREE.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    imports = [node for body in blocks for node in body if isinstance(node, ast.ImportFrom)]
    for node in imports:
        for alias in node.names:
            assert alias.asname == alias.name, "only `X as X` makes a name public"
    return {(node.module or "", alias.name) for node in imports for alias in node.names}


def names_at_run_time() -> set[tuple[str, str]]:
    """Module and name of everything in `_HOMES`."""
    homes = next(
        node.value
        for node in TREE.body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        and ast.unparse(node).partition(" ")[0].rstrip(":") == "_HOMES"
        and node.value is not None
    )
    modules: dict[str, tuple[str, ...]] = ast.literal_eval(homes)
    return {(module, name) for module, names in modules.items() for name in names}


def test_type_checkers_and_python_are_told_the_same() -> None:
    assert names_for_type_checkers() == names_at_run_time()


def test_all_holds_every_name_once_in_order() -> None:
    assert list(calcsim.__all__) == sorted({name for _, name in names_at_run_time()})
    assert dir(calcsim) == list(calcsim.__all__)


@pytest.mark.parametrize(("module", "name"), sorted(names_at_run_time()))
def test_a_public_name_is_what_its_module_has(module: str, name: str) -> None:
    assert getattr(calcsim, name) is getattr(importlib.import_module(module), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'calcsim' has no attribute 'no_such_name'"):
        _ = calcsim.no_such_name


def test_importing_calcsim_alone_loads_neither_numba_nor_numpy() -> None:
    code = "import calcsim, sys; print(*sorted({'numba', 'numpy', 'polars'} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(Path(calcsim.__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
