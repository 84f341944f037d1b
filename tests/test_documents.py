"""What documents say is run: each command of their blocks of code, in a folder of its own, with the output that they show; each path is there.

A block `sh` whose next block is `text` shows a part of what it prints.  Commands of warpcost run in this process, others in a shell.  What takes an
editor, a network or minutes is in ELSEWHERE, with the test that runs it.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from analysis_core.cli.options import parser
from analysis_core.main import main
from analysis_core.support.settings import Settings
from analysis_core.workspace.settings_file import read_settings
from tests.test_publishing import links
from tests.test_tidy import ROOT

DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "editor_clients").glob("*/README.md")),
    ROOT / "tests" / "README.md",
]

ELSEWHERE = {
    "make demo": "takes the network: a fresh clone before each release",
    "make test": "is what runs this",
    "make tidy": "takes a minute, in .ci/run",
    "python -m pytest": "runs a part of what runs this",
    "git clone": "the address is a placeholder",
    "python3 -m pip": "takes the network: .ci/run installs so, and build.py makes a wheel",
    "warpcost diff main": "there is no repository here: tests/cli/test_diff_revisions.py",
    "warpcost diff HEAD": "there, too",
    "warpcost diff --base-json": "tests/cli/test_diff.py",
    "ncu": "takes a GPU",
    "warpcost compare-profile": "tests/cli/test_compare_profile.py, with exports made for it",
    "docker": "tests/test_publishing.py: test_the_container_is_built_and_checks",
}
"""Beginnings of commands that are not run here, and where they are."""

LANGUAGES = {
    "text": "what a command prints, above",
    "cuda": "tests/test_fixtures.py",
    "python": "tests/cli/test_api.py",
    "elisp": "tests/editors/test_other_editors.py",
    "lua": "tests/editors/neovim",
    "yaml": "below: what it names is there",
    "json": "below",
    "toml": "below",
    "c": "annotations and comments: tests/syntax/test_annotations.py, tests/report/test_suppression.py",
    "sh": "below",
}
"""What stands in blocks of code, and where it is tried."""


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    text: str
    printed: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The blocks of code of a page, those inside of others left out, and those that are indented after a paragraph."""
    text = page.read_text(encoding="utf-8")
    found = [
        (text.count("\n", 0, one.start()) + 1, one[2], one[3], one.end())
        for one in re.finditer(r"^(```+)(\w*)\n(.*?)^\1$", text, re.DOTALL | re.MULTILINE)
    ]
    indented = [
        (text.count("\n", 0, one.start()) + 2, "sh", re.sub("^    ", "", one[1], flags=re.MULTILINE), one.end())
        for one in re.finditer(
            r"\n\n((?:    [a-z.].*\n)+)",
            re.sub(r"^(```+).*?^\1$", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE),
        )
        if re.match(r"(make|git|python|warpcost|pip)\b", one[1].strip())
    ]
    made = []
    for number, (line, language, body, end) in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else None
        shows = (
            language == "sh"
            and after is not None
            and after[1] == "text"
            and not text[end : text.index("```text", end)].strip()
        )
        made.append(Block(page, line, language, body, after[2] if shows and after is not None else None))
    return made + [Block(page, line, language, body, None) for line, language, body, _ in indented]


BLOCKS = [block for page in DOCUMENTS for block in blocks(page)]


def commands(block: Block) -> Iterator[str]:
    """The lines of a block, comments left out, those that go on put together."""
    for line in block.text.replace("\\\n", " ").splitlines():
        command = re.sub(r"(^|\s+)#.*", "", line).strip()
        if command:
            yield command


def is_run_elsewhere(command: str) -> bool:
    return any(re.match(rf"{re.escape(start)}\b", command) for start in ELSEWHERE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a reader has: the examples, and a folder of sources."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "src").mkdir()
    shutil.copyfile(ROOT / "examples" / "copy.cu", tmp_path / "src" / "copy.cu")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str) -> str:
    """What a command of warpcost prints; an error of use, or of ours, fails."""
    words = shlex.split(command.partition(" > ")[0])
    assert words[0] in ("warpcost", ".venv/bin/warpcost"), f"{command}: neither run here nor in ELSEWHERE"
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(words[1:])
        except SystemExit as ended:
            status = int(ended.code or 0)
    assert status in (0, 1), f"{command}: {err.getvalue()}"
    return out.getvalue()


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "sh"], ids=str)
def test_commands_run(block: Block, folder: Path) -> None:
    for command in commands(block):
        if not is_run_elsewhere(command):
            printed = run(command)
            if block.printed is not None:
                assert block.printed in printed, f"{command} prints:\n{printed}"


def test_nothing_is_listed_in_vain() -> None:
    said = [command for block in BLOCKS if block.language == "sh" for command in commands(block)]
    assert [start for start in ELSEWHERE if not any(command.startswith(start) for command in said)] == []
    assert {block.language for block in BLOCKS} <= LANGUAGES.keys()


def inline(page: Path) -> Iterator[str]:
    """Commands in the midst of a sentence or a table."""
    prose = re.sub(r"^(```+).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    yield from re.findall(
        r"`((?:\.venv/bin/)?warpcost (?:check|diff|explain|report|stats|simulate|rule|lsp)[^`]*)`", prose
    )


STANDS_FOR = {
    "FILE": "examples/copy.cu",
    "PATH": "examples",
    "LINE": "4",
    "NAME": "copy",
    "CODE": "WC101",
    "VALUE": "1",
    "..": "examples/copy.cu",
}


@pytest.mark.parametrize(
    "page",
    [page for page in DOCUMENTS if page.name != "CHANGELOG.md"],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_commands_in_sentences_are_understood(page: Path, folder: Path) -> None:
    """Their options are those of the command line."""
    for command in inline(page):
        words = [STANDS_FOR.get(word, word) for word in shlex.split(command)[1:]]
        status: object = None
        with contextlib.redirect_stderr(io.StringIO()) as said:
            try:
                parser().parse_args(words)
            except SystemExit as ended:
                status = ended.code
        assert not status, f"{command}: {said.getvalue()}"


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_targets_of_make_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^ *)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)) <= targets


TOPS = ("analysis_core", "lsp_server", "editor_clients", "docs", "examples", "tests", "tools", "packaging")


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_paths_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(rf"(?<![\w/.])((?:{'|'.join(TOPS)})/[\w./*-]*[\w/*])", text))
    assert [path for path in sorted(named) if not list(ROOT.glob(path)) and not (page.parent / path).exists()] == []


def headings(page: Path) -> set[str]:
    """What links to places in a page may name."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_pages_and_their_places(page: Path) -> None:
    for link in links(page.read_text(encoding="utf-8")):
        path, _, place = link.partition("#")
        target = page if not path else page.parent / path
        if "://" not in link:
            assert target.exists(), link
            assert not place or place in headings(target), link


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "toml"], ids=str)
def test_settings_are_settings(block: Block) -> None:
    tomllib.loads(block.text)
    if block.page.name in ("settings.md", "models.md"):
        assert not read_settings("warpcost.toml", block.text.encode(), Settings(), own=True).findings


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "json"], ids=str)
def test_json_is_json(block: Block) -> None:
    json.loads(block.text)


def test_workflows_pass_inputs_that_the_action_has() -> None:
    inputs = set(
        re.findall(
            r"^  ([a-z-]+):$", (ROOT / "action.yml").read_text(encoding="utf-8").partition("runs:")[0], re.MULTILINE
        )
    )
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    passed = re.findall(r"uses: \./third_party/warpcost\n\s+with: \{(.*)\}", page)
    assert passed and all(key.split(":")[0].strip() in inputs for given in passed for key in given.split(","))
    variables = re.findall(r"variables: \{(.*)\}", page)
    template = (ROOT / "packaging" / "warpcost.gitlab-ci.yml").read_text(encoding="utf-8")
    assert variables and all(
        f"    {one.split(':')[0].strip()}:" in template for given in variables for one in given.split(",")
    )


def test_a_hook_of_pre_commit_is_there() -> None:
    assert "- id: warpcost\n" in (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "- id: warpcost\n" in (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=True)
