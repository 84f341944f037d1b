"""Which modules import each other while they are imported: those of two recursive descents alone.

A module that is part of a cycle cannot be read, tested or imported first.  What a function imports when it runs, and what only type
checkers import, makes no cycle.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter

from tests.test_tidy import CORE, ROOT, SERVER, parse, python_files

TOGETHER = {
    "analysis_core.lower.": "a type may hold an expression, an expression a lambda, and that statements",
    "analysis_core.syntax.read.": "a declaration may hold an expression, and an expression a type or a lambda",
}


def imported_at_once(node: ast.AST) -> Iterator[str]:
    """The full names of all that a module imports when it is imported itself."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
                pass
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (name for alias in names for name in (module, f"{module}.{alias.name}"))
            case _:
                yield from imported_at_once(child)


def part_of(module: str) -> str:
    """The module, or the package whose modules import each other."""
    return next((package for package in TOGETHER if module.startswith(package)), module)


def test_only_two_recursive_descents_import_each_other() -> None:
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in python_files(CORE, SERVER)
        if path.name != "__init__.py"
    }
    graph: dict[str, set[str]] = {}
    for module, path in modules.items():
        imported = {part_of(name) for name in imported_at_once(parse(path)) if name in modules}
        graph.setdefault(part_of(module), set()).update(imported - {part_of(module)})
    TopologicalSorter(graph).prepare()  # names a cycle if there is one
