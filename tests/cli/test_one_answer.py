"""One program, one answer: however a path is spelled, and wherever the command is started, findings and levels are the same.

`tests/editors/workspace/parts/answer.txt` has the findings; the server (`tests/server/test_one_answer.py`) and the editors
(`neovim/one_answer.lua`, `vscode/one_answer.mjs`) are held to it, too."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from analysis_core.main import main

PROGRAM = Path(__file__).resolve().parents[1] / "editors" / "workspace" / "parts"
ALONE = "__global__ void alone(float *a) { a[4 * threadIdx.x] = 1; }\nvoid go(float *a) { alone<<<80, 192>>>(a); }\n"
SETTINGS = 'exclude = ["old/*"]\n[levels]\nWC102 = "off"\n'

Answer = tuple[int, list[str]]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A kernel that another file includes and launches, a header in a folder beside it, and what is left out."""
    top = tmp_path / "here" / "program"
    shutil.copytree(PROGRAM, top)
    (top / "old").mkdir()
    (top / "old" / "alone.cu").write_text(ALONE)
    (top / "warpcost.toml").write_text(SETTINGS)
    (tmp_path / "linked").symlink_to(top)
    return top


def answer(capsys: pytest.CaptureFixture[str], *args: str) -> Answer:
    """The status, and what is said of each place, as `answer.txt` has it: with quotes where editors show no code."""
    status = main(["check", "--hints", "--format", "json", *args])
    return status, [
        f"{os.path.basename(file['path'])} {found['line']} {found['code']} {found['level']} {found['message']}".replace(
            "`", "'"
        )
        for file in json.loads(capsys.readouterr().out)["files"]
        for kernel in file["kernels"]
        for found in kernel["findings"]
    ]


EXPECTED = (1, (PROGRAM / "answer.txt").read_text().splitlines())


def test_every_spelling_of_a_folder_has_one_answer(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program.parent)
    linked = str(tmp_path / "linked")
    for spelling in ("program", "./program", "program/", "program/.", "../here/program", str(program), linked):
        assert answer(capsys, spelling) == EXPECTED, spelling
    for folder, spelling in ((program, "."), (program, "../program"), (program / "shared", ".."), (tmp_path, "linked")):
        monkeypatch.chdir(folder)
        assert answer(capsys, spelling) == EXPECTED, (folder, spelling)


def test_every_spelling_of_a_file_has_one_answer(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program)
    linked = str(tmp_path / "linked" / "rows.cu")
    for spelling in ("rows.cu", "./rows.cu", "shared/../rows.cu", str(program / "rows.cu"), linked):
        assert answer(capsys, spelling) == EXPECTED, spelling
    monkeypatch.chdir(program / "shared")
    assert answer(capsys, "../rows.cu") == EXPECTED
    monkeypatch.chdir(tmp_path)
    assert answer(capsys, "here/program/rows.cu", "./here/program/rows.cu") == EXPECTED


def test_a_baseline_knows_findings_under_every_spelling(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program)
    baseline = str(tmp_path / "baseline.json")
    main(["check", "--baseline", baseline, "--update-baseline", "."])
    for spelling in (".", "./rows.cu", str(program), "../program"):
        assert main(["check", "--baseline", baseline, spelling]) == 0, spelling
    capsys.readouterr()


DEEP = '#include "../../shared/pitch.h"\n__global__ void k(float *a) { a[PITCH * threadIdx.x] = 1; }\nvoid go(float *a) { k<<<80, 192>>>(a); }\n'


@pytest.mark.parametrize("mark", [None, "Makefile", ".git", "warpcost.toml"])
def test_a_file_has_one_answer_wherever_one_stands(
    mark: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it includes from two folders above is a part of the project, or it is not."""
    top = tmp_path / "tree"
    file = top / "code" / "deep" / "a.cu"
    file.parent.mkdir(parents=True)
    (top / "shared").mkdir()
    (top / "shared" / "pitch.h").write_text("#define PITCH 4\n")
    file.write_text(DEEP)
    (tmp_path / "linked").symlink_to(top)
    if mark is not None:
        (top / mark).write_text("")
    answers = []
    for folder in (tmp_path, top, file.parent.parent, file.parent, tmp_path / "linked", Path("/")):
        monkeypatch.chdir(folder)
        answers += [answer(capsys, path) for path in (os.path.relpath(file), str(file))]
        answers.append(answer(capsys, os.path.relpath(file.parent)))
        answers.append(answer(capsys, str(tmp_path / "linked" / "code")))
    assert [one == answers[0] for one in answers] == [True] * len(answers)
    assert ("WC101" in str(answers[0])) == (mark is not None)
