"""Our preprocessor gives the tokens of `gcc -E` on every fixture in gcc_tokens/.  GCC must be there: no skip."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.bench.gcc_tokens import GCC, compare

FOLDER = Path(__file__).parent / "gcc_tokens"
FIXTURES = sorted(FOLDER.rglob("*.cu*"))


def test_gcc_is_installed() -> None:
    assert shutil.which(GCC), "gcc is needed for this test: it is the independent preprocessor"


def test_there_are_fixtures() -> None:
    assert len(FIXTURES) >= 8


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_tokens_equal_those_of_gcc(path: Path) -> None:
    result = compare(str(path))
    assert result.readable, result.message
    assert result.difference == ""
