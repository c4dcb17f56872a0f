"""The source of a strategy: its file, and the files beside it that it imports.

A strategy is run from text that was read once, never from a file or bytecode that may have changed
since, so that what is hashed, what is played and what every worker process plays are the same.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

from calcsim.strategy.errors import StrategyError

_KNOWN_ELSEWHERE = sys.stdlib_module_names | {"calcsim", "numba", "numpy"}
"""Packages that every compiled code depends on anyway."""


@dataclass(frozen=True)
class SourceFile:
    """One file as it was when it was read.

    Attributes:
        module: the name it is imported by.
        path: where it was.
        content: its bytes.
    """

    module: str
    path: str
    content: bytes

    @property
    def sha256(self) -> str:
        """Digest of the bytes, as `sha256sum` prints it."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True)
class Source:
    """A strategy's file and what it imports that may change without a version changing.

    Attributes:
        main: the strategy's own file.
        siblings: files in the same folder that it imports, directly or through one another.
        requirements: `name version` of other distributions that it imports.
    """

    main: SourceFile
    siblings: tuple[SourceFile, ...]
    requirements: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file, or, if others belong to it, of all their digests and names."""
        if not self.siblings and not self.requirements:
            return self.main.sha256
        parts = [f"{file.module} {file.sha256}" for file in (self.main, *self.siblings)]
        return hashlib.sha256("\n".join([*parts, *self.requirements]).encode()).hexdigest()

    def place_of(self, file: SourceFile) -> str:
        """Where one of the files is, from the folder of the strategy's own."""
        return str(Path(file.path).relative_to(Path(self.main.path).parent))

    def execute(self) -> ModuleType:
        """Run the file as a new module; what it imports from beside it is run anew as well.

        Raises:
            Exception: whatever the file's own code raises, with its traceback.
        """
        with _importable(self.siblings):
            return _execute(self.main, ModuleType(self.main.module))


def read_source(path: Path, module: str | None = None) -> Source:
    """Read a strategy file and find what it imports.

    Args:
        path: the file.
        module: the name it is imported by, if it is part of a package.

    Raises:
        StrategyError: it, or a file beside it, cannot be read or is not Python.
    """
    main = _read(path, module or path.stem)
    siblings: dict[str, SourceFile] = {}
    requirements: set[str] = set()
    unread = [main]
    while unread:
        for name in sorted(_imported_names(unread.pop())):
            beside = _beside(main, name)
            if name in siblings or name.partition(".")[0] in _KNOWN_ELSEWHERE:
                continue
            if beside.is_file() and beside != path:
                siblings[name] = _read(beside, name)
                unread.append(siblings[name])
            else:
                requirements.update(_requirement(name))
    in_order = tuple(siblings[name] for name in sorted(siblings))
    return Source(main, in_order, tuple(sorted(requirements)))


def _beside(main: SourceFile, name: str) -> Path:
    """Where a module is if it is in the same folder as the strategy."""
    package = main.module.rpartition(".")[0]
    inside = name.removeprefix(f"{package}.")
    return Path(main.path).parent / f"{inside.replace('.', '/')}.py"


def _read(path: Path, module: str) -> SourceFile:
    try:
        return SourceFile(module, str(path), path.read_bytes())
    except OSError as error:
        raise StrategyError(f"cannot read {path}: {error.strerror}") from None


def _imported_names(file: SourceFile) -> Iterator[str]:
    try:
        tree = ast.parse(file.content, file.path)
    except SyntaxError as error:
        raise StrategyError(describe_syntax_error(error, file.path)) from None
    except ValueError as error:
        raise StrategyError(f"{file.path} is not Python: {error}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = file.module.split(".")[: -node.level] if node.level else []
            base += [node.module] if node.module else []
            yield from [".".join(base)] if base else []
            yield from (".".join([*base, alias.name]) for alias in node.names)


def describe_syntax_error(error: SyntaxError, path: str) -> str:
    """Where and what, with the line itself."""
    line = (error.text or "").rstrip()
    mark = " " * (max(error.offset or 1, 1) - 1) + "^"
    return f"{path}, line {error.lineno}: {error.msg}\n    {line}\n    {mark}"


def _requirement(name: str) -> list[str]:
    top = name.partition(".")[0]
    for distribution in importlib.metadata.packages_distributions().get(top, []):
        return [f"{distribution} {importlib.metadata.version(distribution)}"]
    return []


def _execute(file: SourceFile, module: ModuleType) -> ModuleType:
    """Run a file in a module, under a name that no other version of it ever has.

    numba finds a function's module by that name when it loads compiled code.
    """
    module.__name__ = f"{file.module} {file.sha256}"
    module.__file__ = file.path
    module.__package__ = file.module.rpartition(".")[0]
    sys.modules[module.__name__] = module
    text = importlib.util.decode_source(file.content)
    linecache.cache[file.path] = (len(text), None, text.splitlines(keepends=True), file.path)
    exec(compile(file.content, file.path, "exec", dont_inherit=True), module.__dict__)
    return module


class _SiblingFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, files: Sequence[SourceFile]) -> None:
        self.files = {file.module: file for file in files}

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        file = self.files.get(fullname)
        if file is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=file.path)

    def exec_module(self, module: ModuleType) -> None:
        _execute(self.files[module.__name__], module)


@contextmanager
def _importable(files: Sequence[SourceFile]) -> Iterator[None]:
    """Let the files be imported inside the block, and forget them as modules afterwards."""
    finder = _SiblingFinder(files)
    hidden = {name: _forget(name) for name in finder.files if name in sys.modules}
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in finder.files.keys() & sys.modules.keys():
            _forget(name)
        for name, module in hidden.items():
            _remember(name, module)


def _forget(name: str) -> ModuleType:
    package, _, last = name.rpartition(".")
    if package in sys.modules:
        vars(sys.modules[package]).pop(last, None)
    return sys.modules.pop(name)


def _remember(name: str, module: ModuleType) -> None:
    package, _, last = name.rpartition(".")
    if package in sys.modules:
        setattr(sys.modules[package], last, module)
    sys.modules[name] = module
