"""`tools/new_rule.py` makes a rule that all tests of the registry accept, in a copy of the tree, and refuses what exists."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_tidy import ROOT
from tools.new_rule import Refused, new_rule, with_row

TREE = ("analysis_core", "lsp_server", "docs", "tests", "tools", "editor_clients", "examples")
IGNORED = shutil.ignore_patterns("__pycache__", "node_modules", "*.tsv", "*.png", "bench")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with a new rule."""
    root = tmp_path_factory.mktemp("tree")
    for top in TREE:
        shutil.copytree(ROOT / top, root / top, ignore=IGNORED)
    for path in ROOT.glob("*.*"):
        if path.is_file():
            shutil.copy(path, root)
    new_rule(root, "WC298", "some-new-loss")
    return root


def run(tree: Path, *command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_tests_of_the_registry_accept_it(tree: Path) -> None:
    files = ("tests/test_tidy.py", "tests/test_papers.py", "tests/test_rule_pages.py", "tests/test_fixtures.py")
    chosen = "(rule and not state) or level or some_new_loss or WC298"
    run(tree, "pytest", "-q", "-p", "no:cacheprovider", *files, "-k", chosen)


def test_what_it_makes_is_tidy(tree: Path) -> None:
    module = "analysis_core/report/checks/some_new_loss.py"
    run(tree, "ruff", "check", "--no-cache", module, "analysis_core/report/checks/registry.py")
    run(tree, "ruff", "format", "--no-cache", "--check", module, "analysis_core/report/checks/registry.py")


def test_rules_are_listed_by_code(tree: Path) -> None:
    script = "from analysis_core.report.checks.registry import CHECKS; print(*(check.code for check in CHECKS))"
    done = subprocess.run([sys.executable, "-c", script], cwd=tree, capture_output=True, text=True, check=True)
    listed = done.stdout.split()
    assert "WC298" in listed
    assert listed == sorted(listed)


@pytest.mark.parametrize(
    ("code", "name"),
    [("WC298", "other-name"), ("WC299", "some-new-loss"), ("WC101", "third-name"), ("W1", "name"), ("WC299", "Name_x")],
)
def test_what_exists_or_is_no_name_is_refused(tree: Path, code: str, name: str) -> None:
    registry = tree / "analysis_core" / "report" / "checks" / "registry.py"
    before = registry.read_text(encoding="utf-8")
    with pytest.raises(Refused):
        new_rule(tree, code, name)
    assert registry.read_text(encoding="utf-8") == before


def test_a_row_stands_behind_lesser_codes() -> None:
    page = "| [WC101](a) | x |\n| [WC301](b) | y |\n"
    assert with_row(page, "WC298", "new").splitlines()[1] == "new"
    assert with_row(page, "WC302", "new").splitlines()[2] == "new"
    assert with_row(page, "WC001", "new").splitlines()[0] == "new"
