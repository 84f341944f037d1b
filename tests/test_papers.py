"""What the pages say of the code holds: the walk is walked, decisions have their parts, and paths that are named exist."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import FrameType

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.checks.registry import CHECKS, check_of
from analysis_core.report.findings.model import Level
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from lsp_server.features.diagnostics import squiggles
from tests.test_tidy import ROOT, name_of, walk
from tools.gates_table import TABLES, written

DECISIONS = ROOT / "docs" / "decisions"
PAGES = sorted(DECISIONS.glob("[0-9]*.md"))
PARTS = ["Decided", "Why", "What it costs", "Where it lives", "What would change it"]

TRANSPOSE = b"""__global__ void transpose(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x];
}

void run(float *out, const float *in, int w, int h) {
    transpose<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 32)>>>(out, in, w, h);
}
"""


def test_the_walk_is_the_way_of_an_access() -> None:
    """Each stop is called on the way from the bytes of a transpose to its squiggle."""
    called: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        report = analyse_file("transpose.cu", MemoryFiles({"transpose.cu": TRANSPOSE}), Settings(), strict=True)
        told = squiggles("transpose.cu", report)
    finally:
        sys.setprofile(None)
    assert [(one.code, TRANSPOSE[one.span.start : one.span.end]) for one in told] == [("WC101", b"out[x * h + y]")]
    missed = [f"{path.relative_to(ROOT)}: {name}" for path, name in walk() if (str(path), name) not in called]
    assert not missed


def named_paths(text: str) -> list[str]:
    """Files and folders in backquotes: with a slash, or with an ending of a source file."""
    return re.findall(r"`([\w.-]+(?:/[\w.-]+)+/?|[\w-]+\.(?:py|md)|[\w]+/)`", text)


@pytest.mark.parametrize(
    "page",
    [ROOT / "analysis_core" / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md", *PAGES],
    ids=lambda page: page.name,
)
def test_paths_that_a_page_names_exist(page: Path) -> None:
    tops = [ROOT, ROOT / "analysis_core", page.parent]
    known = {path.name for top in ("analysis_core", "tests") for path in (ROOT / top).rglob("*.py")}
    paths = named_paths(page.read_text(encoding="utf-8"))
    lost = [path for path in paths if path not in known and not any((top / path).exists() for top in tops)]
    assert not lost


LEVELS = (ROOT / "docs" / "levels.md").read_text(encoding="utf-8")


def test_every_rule_is_in_the_table_of_levels() -> None:
    assert set(re.findall(r"\[(WC\d+)\]\(rules/\1\.md\)", LEVELS)) == {check.code for check in CHECKS}


def test_a_rule_whose_loudest_is_no_warning_has_none_in_the_table() -> None:
    for row in re.findall(r"^\| (\[WC.*)$", LEVELS, re.MULTILINE):
        rules, warning, *_ = (cell.strip() for cell in row.split("|"))
        for code in re.findall(r"\[(WC\d+)\]", rules):
            rule = check_of(code)
            assert rule is not None
            assert (warning == "never") == (rule.level is not Level.WARNING) or code == "WC902", code


def test_gates_of_levels_are_those_of_the_code() -> None:
    """tools/gates_table.py writes them."""
    assert written(LEVELS) == LEVELS, "run: python tools/gates_table.py"
    assert set(TABLES) == {check.code for check in CHECKS if check.ask is not None}


NUMBERS = re.findall(r"^\| [^|]+ \| ([\d.]+) \| `([\w/]+)\.py: ([\w.]+)` \|$", LEVELS, re.MULTILINE)


def test_numbers_are_told() -> None:
    assert len(NUMBERS) >= 15


@pytest.mark.parametrize(("value", "module", "name"), NUMBERS)
def test_numbers_of_levels_are_those_of_the_code(value: str, module: str, name: str) -> None:
    found: object = import_module(f"analysis_core.{module.replace('/', '.')}")
    for part in name.split("."):
        found = getattr(Settings() if found is Settings else found, part)
    assert isinstance(found, int | float)
    assert round(found, 3) == float(value)


def test_pages_that_the_code_names_exist() -> None:
    """A docstring that refers to a page of docs/ names one that is there."""
    files = [path for top in ("analysis_core", "lsp_server", "tests") for path in (ROOT / top).rglob("*.py")]
    named = {
        (name_of(path), page)
        for path in files
        for page in re.findall(r"\b(docs/[\w/.-]+\.md)", path.read_text(encoding="utf-8"))
    }
    assert not [one for one in sorted(named) if not (ROOT / one[1]).is_file()]


def test_decisions_are_few_and_have_their_parts() -> None:
    assert 0 < len(PAGES) <= 25
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    for number, page in enumerate(PAGES, 1):
        title, *_ = text = page.read_text(encoding="utf-8").splitlines()
        assert page.name.startswith(f"{number:02}-")
        assert title.startswith(f"# {number}. ")
        assert [line[3:] for line in text if line.startswith("## ")] == PARTS
        assert len(text) <= 60
        assert f"{number}. [{title.partition('. ')[2]}]({page.name})" in index
