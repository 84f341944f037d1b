"""`check --fix` and `--diff`: the same change, in whole files or none, until nothing is left to fix."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis_core.cli import fix
from analysis_core.main import main
from analysis_core.report.findings.model import Edit, Finding
from analysis_core.support.sources import Sources
from analysis_core.text.span import FileId, Span

TILES = """__global__ void two(float *a, int n) {
    __shared__ float s[32][32];
    __shared__ float t[32][32];
    s[threadIdx.y][threadIdx.x] = a[32 * threadIdx.y + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = a[32 * threadIdx.y + threadIdx.x + 1024];
    __syncthreads();
    a[32 * threadIdx.y + threadIdx.x] = s[threadIdx.x][threadIdx.y] + t[threadIdx.x][threadIdx.y]; // warpcost: ignore[WC301]
}
void run(float *a, int n) { two<<<1, dim3(32, 32)>>>(a, n); }
"""
TILES_FIXED = TILES.replace("32][32]", "32][33]").replace(" // warpcost: ignore[WC301]", "")
RACY = """__global__ void k(float *a) {\r
    __shared__ float s[256];\r
    s[threadIdx.x] = a[threadIdx.x];\r
    a[threadIdx.x] = s[255 - threadIdx.x];\r
}\r
void run(float *a) { k<<<1, 256>>>(a); }"""
RACY_FIXED = RACY.replace("    a[thr", "    __syncthreads();\r\n    a[thr")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "tiles.cu").write_text(TILES)
    (tmp_path / "inner" / "größer.cu").write_text(RACY, newline="")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text(path: Path) -> str:
    return path.read_bytes().decode()


def test_a_patch_is_what_is_fixed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    racy, tiles = folder / "inner" / "größer.cu", folder / "tiles.cu"
    assert main(["check", "--diff"]) == 1
    assert text(racy) == RACY and text(tiles) == TILES
    (folder / "x.patch").write_text(capfd.readouterr().out, newline="")
    subprocess.run(["git", "apply", "--unsafe-paths", "x.patch"], cwd=folder, check=True)
    assert (text(racy), text(tiles)) == (RACY_FIXED, TILES_FIXED)
    assert main(["check", "--diff"]) == 0 and capfd.readouterr().out == ""
    racy.write_text(RACY, newline="")
    tiles.write_text(TILES)
    os.chmod(racy, 0o640)
    (folder / "link.cu").symlink_to(tiles)
    assert main(["check", "--fix", "link.cu", "inner"]) == 0
    said = capfd.readouterr()
    assert said.err == "warpcost: 4 fixes in 2 files\n" and "no findings" in said.out
    assert (text(racy), text(tiles)) == (RACY_FIXED, TILES_FIXED)
    assert racy.stat().st_mode & 0o777 == 0o640 and (folder / "link.cu").is_symlink()
    assert sorted(p.name for p in folder.rglob("*.*")) == ["größer.cu", "link.cu", "tiles.cu", "x.patch"]


def test_what_is_not_to_be_changed_is_left_alone(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tiles = folder / "tiles.cu"
    tiles.chmod(0o444)
    assert main(["check", "--fix", "tiles.cu"]) == 2
    assert "tiles.cu: it is read-only, and not edited\n" in capfd.readouterr().err
    assert main(["check", "--baseline", "known.json", "--update-baseline", "tiles.cu", "inner"]) == 0
    assert main(["check", "--fix", "--baseline", "known.json", "tiles.cu", "inner"]) == 0
    assert (text(tiles), text(folder / "inner" / "größer.cu")) == (TILES, RACY)
    (folder / "wide.cu").write_bytes(b"\xff\xfe" + TILES.encode("utf-16-le"))
    assert main(["check", "--fix", "wide.cu"]) == 1
    assert "wide.cu: it is UTF-16, and not fixed" in capfd.readouterr().err


def test_a_file_that_changes_meanwhile_and_fixes_that_undo_each_other(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiles, chosen = folder / "tiles.cu", fix._chosen

    def slow(*arguments: object) -> Iterator[tuple[Edit, ...]]:
        tiles.write_text(TILES + "// mine\n")
        return chosen(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(fix, "_chosen", slow)
    assert main(["check", "--fix", "tiles.cu"]) == 2
    assert "it has changed meanwhile, and is not edited" in capfd.readouterr().err
    assert text(tiles) == TILES + "// mine\n"

    def turn(finding: Finding, sources: Sources) -> Iterator[tuple[Edit, ...]]:
        at = Span(FileId("tiles.cu"), 0, 1)
        yield (Edit(at, " " if sources.text(at) == "\t" else "\t"),)

    monkeypatch.undo()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(fix, "_offered", turn)
    tiles.write_text(" " + TILES)
    assert main(["check", "--fix", "tiles.cu"]) == 1
    assert "its fixes undo each other, and none is applied" in capfd.readouterr().err
    assert text(tiles) == " " + TILES


def test_standard_input_can_be_shown_only(folder: Path) -> None:
    program = ("check", "-", "--no-config")
    run = {"input": TILES.encode(), "cwd": folder, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    root = str(Path(fix.__file__).parents[2])
    command = ["env", f"PYTHONPATH={root}", sys.executable, "-m", "analysis_core", *program]
    shown = subprocess.run([*command, "--diff"], **run)  # type: ignore[call-overload]
    assert shown.returncode == 1 and b"+    __shared__ float t[32][33];" in shown.stdout
    refused = subprocess.run([*command, "--fix"], **run)  # type: ignore[call-overload]
    assert refused.returncode == 2 and b"standard input is not edited; --diff prints" in refused.stderr
