"""Laws of all refactorings: what is accepted leaves the same in memory, over ten launches and three contents of memory each.

The texts are fixtures that were written for other reasons, and random kernels.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.properties.kernels.generator import program
from tests.properties.kernels.printing import print_program
from tests.rewrite.hunt import applied, unit_of

FIXTURES = sorted((Path(__file__).parents[1] / "kernels").rglob("*.cu"))
_BY_DAY = FIXTURES[::47]
_SPOTS = 4


def holds(path: str, text: bytes, most: int | None) -> int:
    """How many refactorings were accepted; none is broken, and all give a text that is edited no more than was said."""
    unit, accepted = unit_of(path, text), 0
    for one in applied(unit, most=most):
        assert not one.broken, f"{path}:{one.line}: {one.title}: {one.broken}\n{one.text.decode(errors='replace')}"
        if not one.refused:
            accepted += 1
            assert one.text != text
            assert one.title.startswith(one.title[0].upper()) and "\n" not in one.title
        else:
            assert "\n" not in one.refused and not one.refused.endswith(".")
    return accepted


@pytest.mark.parametrize("path", _BY_DAY, ids=lambda path: path.stem)
def test_fixtures(path: Path) -> None:
    holds(str(path), path.read_bytes(), _SPOTS)


@pytest.mark.nightly
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_fixtures_at_night(path: Path) -> None:
    holds(str(path), path.read_bytes(), None)


def random_text(seed: int) -> bytes:
    """A random kernel with its block as an annotation."""
    made = program(seed)
    text = print_program(made)[0]
    return f"//@ launch block=({', '.join(map(str, made.block))}) grid=(2)\n{text}".encode()


@pytest.mark.parametrize("seed", [3, 4])
def test_random_kernels(seed: int) -> None:
    holds("a.cu", random_text(seed), _SPOTS)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 1400, 20))
def test_random_kernels_at_night(first: int) -> None:
    for seed in range(first, first + 20):
        holds("a.cu", random_text(seed), None)
