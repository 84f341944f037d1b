"""One program, one answer: however a path is spelled, and wherever the command is started, findings and levels are the same."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analysis_core.cli.main import main

SHARED = "#define ROW 8\n"
KERNELS = '#include "shared/row.h"\n__global__ void rows(float *a, int n) {\n  if (threadIdx.x < n) a[ROW * threadIdx.x] = 1;\n}\n'
LAUNCH = '#include "rows.cu"\nvoid run(float *a, int n) { rows<<<n, 96>>>(a, n); }\n'
ALONE = "__global__ void alone(float *a) { a[4 * threadIdx.x] = 1; }\nvoid go(float *a) { alone<<<80, 192>>>(a); }\n"
SETTINGS = 'exclude = ["old/*"]\n[levels]\nWC102 = "off"\n'


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A kernel that another file includes and launches, a header in a folder beside it, and what is left out."""
    top = tmp_path / "work" / "program"
    (top / "shared").mkdir(parents=True)
    (top / "old").mkdir()
    (top / "shared" / "row.h").write_text(SHARED)
    (top / "rows.cu").write_text(KERNELS)
    (top / "main.cu").write_text(LAUNCH)
    (top / "alone.cu").write_text(ALONE)
    (top / "old" / "alone.cu").write_text(ALONE)
    (top / "warpcost.toml").write_text(SETTINGS)
    (tmp_path / "linked").symlink_to(top)
    return top


def answer(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[tuple[object, ...]]]:
    """The status, and what is said of each place."""
    status = main(["check", "--hints", "--format", "json", *args])
    said: list[tuple[object, ...]] = []
    for file in json.loads(capsys.readouterr().out)["files"]:
        for kernel in file["kernels"]:
            shapes = [(launch["block"], launch["source"], launch["assumptions"]) for launch in kernel["launches"]]
            said.append((os.path.basename(file["path"]), kernel["name"], shapes))
            said += [(f["code"], f["level"], f["line"], f["message"]) for f in kernel["findings"]]
    return status, said


def test_every_spelling_of_a_folder_has_one_answer(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program.parent)
    expected = answer(capsys, "program")
    assert expected[0] == 1 and {line[0] for line in expected[1] if len(line) == 3} == {"alone.cu", "rows.cu"}
    assert all(shape[0][1] == "call" for line in expected[1] if len(line) == 3 for shape in [line[2]])  # type: ignore[index]
    for spelling in ("./program", "program/", "program/.", "../work/program", str(program), str(tmp_path / "linked")):
        assert answer(capsys, spelling) == expected, spelling
    for folder, spelling in ((program, "."), (program, "../program"), (program / "shared", ".."), (tmp_path, "linked")):
        monkeypatch.chdir(folder)
        assert answer(capsys, spelling) == expected, (folder, spelling)


def test_every_spelling_of_a_file_has_one_answer(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program)
    expected = answer(capsys, "rows.cu")
    assert expected[0] == 1 and expected[1][0][2] != []
    for spelling in ("./rows.cu", "shared/../rows.cu", str(program / "rows.cu"), str(tmp_path / "linked" / "rows.cu")):
        assert answer(capsys, spelling) == expected, spelling
    monkeypatch.chdir(program / "shared")
    assert answer(capsys, "../rows.cu") == expected
    monkeypatch.chdir(tmp_path)
    assert answer(capsys, "work/program/rows.cu", "./work/program/rows.cu") == expected


def test_a_baseline_knows_findings_under_every_spelling(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program)
    baseline = str(tmp_path / "baseline.json")
    main(["check", "--baseline", baseline, "--update-baseline", "."])
    for spelling in (".", "./rows.cu", str(program), "../program"):
        assert main(["check", "--baseline", baseline, spelling]) == 0, spelling
    capsys.readouterr()
