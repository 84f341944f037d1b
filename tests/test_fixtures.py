"""Every fixture below tests/kernels, every example in the pages of the rules and in the manual of expectations, claimed both ways.

`pytest --update` rewrites the messages and numbers in them (tests/harness/update.py) for a person to read as a diff.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.annotations import fenced, parse
from tests.harness.check import check
from tests.harness.observe import observe
from tests.harness.update import update

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "tests" / "kernels"
FIXTURES = sorted(path for path in KERNELS.rglob("*.cu") if "incremental" not in path.parts)
PAGES = [*sorted((ROOT / "docs" / "rules").glob("*.md")), ROOT / "docs" / "expectations.md"]
EXAMPLES = [(page, line, code) for page in PAGES for line, code in fenced(page.read_bytes())]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.relative_to(KERNELS).as_posix())
def test_fixture(path: Path, request: pytest.FixtureRequest) -> None:
    data = path.read_bytes()
    fixture = parse(data)
    seen = observe(path.name, data, fixture)
    if request.config.getoption("--update"):
        path.write_bytes(update(fixture, seen).encode("latin-1"))
        return
    problems = check(fixture, seen)
    assert not problems, "\n" + "\n".join(f"{path.relative_to(ROOT)}: {problem}" for problem in problems)


@pytest.mark.parametrize(("page", "line", "code"), EXAMPLES, ids=[f"{page.stem}:{line}" for page, line, _ in EXAMPLES])
def test_example_of_a_page(page: Path, line: int, code: bytes) -> None:
    fixture = parse(code)
    problems = check(fixture, observe(f"{page.stem}.cu", code, fixture))
    assert not problems, "\n" + "\n".join(f"{page.name}:{line + p.line}: {p.text}" for p in problems)


def test_fixtures_exist() -> None:
    assert FIXTURES
