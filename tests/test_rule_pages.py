"""Pages of rules: short, in the words of docs/voice.md, with the message as it is today, and with Neovim's help made of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.checks.registry import CHECKS, check_of
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.workspace.settings_file import read_settings
from tests.harness.annotations import fenced
from tests.test_tidy import ROOT
from tools.help_pages import TAGS, help_files

RULES = sorted((ROOT / "docs" / "rules").glob("*.md"))
SECTIONS = ["What it says", "Why it matters", "Example", "How to fix", "Settings"]
AVOIDED = re.compile(r"\b(alike|told|rounds?|follows|asked here|leave apart|lanes? part|parts? ways|remark)\b")


@pytest.mark.parametrize("page", RULES, ids=lambda page: page.stem)
def test_pages_of_rules_are_short(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
    assert [line[3:] for line in lines if line.startswith("## ")] == SECTIONS
    rule = check_of(page.stem)
    assert rule is not None
    assert lines[0] == f"# {rule.code}: {rule.name}"


@pytest.mark.parametrize("page", RULES, ids=lambda page: page.stem)
def test_pages_of_rules_use_the_words_of_the_list(page: Path) -> None:
    prose = re.sub(r"(?s:```.*?```)|`[^`]*`|^> .*", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert AVOIDED.findall(prose) == []


def message_of_example(page: Path) -> str:
    """What the rule says of the page's first example."""
    if page.stem == "WC903":
        text = re.search(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        assert text is not None
        return min(
            read_settings("/warpcost.toml", text[1].encode(), Settings()).findings, key=lambda one: one.span.start
        ).message
    _, code = fenced(page.read_bytes())[0]
    report = analyse_file("example.cu", MemoryFiles({"example.cu": code}), Settings(hints=True))
    found = [finding for finding in report.findings if finding.check == page.stem]
    return min(found, key=lambda one: one.span.start).message


@pytest.mark.parametrize("page", RULES, ids=lambda page: page.stem)
def test_a_rule_is_quoted_as_it_speaks(page: Path, request: pytest.FixtureRequest) -> None:
    """`--update` writes the message of today."""
    text, message = page.read_text(encoding="utf-8"), message_of_example(page)
    quoted = re.search(r"^> (.*)$", text, re.MULTILINE)
    assert quoted is not None
    if request.config.getoption("--update"):
        page.write_text(text.replace(quoted[0], f"> {message}", 1), encoding="utf-8")
        return
    assert quoted[1] == message


@pytest.mark.parametrize("name", help_files())
def test_help_of_rules_is_that_of_the_pages(name: str, request: pytest.FixtureRequest) -> None:
    made = help_files()[name]
    if request.config.getoption("--update"):
        (ROOT / name).write_text(made, encoding="utf-8")
    assert (ROOT / name).read_text(encoding="utf-8") == made, "run: python tools/help_pages.py"


def test_every_rule_has_its_tags_and_no_tag_is_lost() -> None:
    files = help_files()
    tags = {line.split("\t")[0] for line in files[TAGS].splitlines()}
    assert {f"warpcost-{word}" for check in CHECKS for word in (check.code, check.name)} <= tags
    texts = [*files.values(), (ROOT / "editor_clients/neovim/doc/warpcost.txt").read_text(encoding="utf-8")]
    asked = {tag for text in texts for tag in re.findall(r"\|(:?[Ww]arpcost[\w.-]*)\|", text)}
    assert asked - tags == set()
