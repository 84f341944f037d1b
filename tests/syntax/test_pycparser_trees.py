"""Expression and statement trees equal those of pycparser, an independent reader, on our own C-only kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.preprocessor import preprocess
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.splitter import split
from analysis_core.syntax.read.tree import FunctionDecl
from tests.syntax.c_reference import NotC, c_text, declared_types, first_difference, our_form, reference_form

KERNELS = sorted((Path(__file__).parent / "c_kernels").glob("*.cu"))


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: p.name)
def test_trees_equal_pycparsers(path: Path) -> None:
    files = MemoryFiles({path.name: path.read_bytes()})
    tree = parse(path.name, files, Settings())
    assert not tree.problems
    preprocessed = preprocess(path.name, files, Settings())
    functions = {d.name_span: d for d in tree.declarations if isinstance(d, FunctionDecl)}
    compared = 0
    for item in split(preprocessed.tokens, preprocessed.column):
        if item.body is None or item.name is None or preprocessed.tokens[item.name].span not in functions:
            continue
        function = functions[preprocessed.tokens[item.name].span]
        reference = reference_form(c_text(preprocessed.tokens[item.start : item.end], declared_types(tree)))
        assert first_difference(our_form(function), reference) is None, function.name
        compared += 1
    assert compared == len(functions)


def test_the_comparison_sees_differences() -> None:
    tree = parse("a.cu", MemoryFiles({"a.cu": b"__global__ void k(int *a, int n) { a[n] = n - 1; }"}), Settings())
    (function,) = tree.declarations
    assert isinstance(function, FunctionDecl)
    other = reference_form("typedef int x; void k(int *a, int n) { a[n] = n + 1; }")
    assert first_difference(our_form(function), other) is not None
    with pytest.raises(NotC):
        reference_form("void k(int &a) { }")
