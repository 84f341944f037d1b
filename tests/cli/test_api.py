"""The public interface: what it exports, its page's examples, settings, what cannot be read, and that it agrees with the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analysis_core import api
from analysis_core.api import InvalidSettings, Report, analyse_text, check
from analysis_core.main import main
from tests.test_tidy import ROOT

STRIDED = """__global__ void k(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[8 * i];
}
void run(float *a, const float *b, int n) { k<<<n / 256, 256>>>(a, b, n); }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "warpcost.toml").write_text("hints = true\n")
    (tmp_path / "a.cu").write_text(STRIDED)
    return tmp_path


def test_examples_of_its_page_run(folder: Path) -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(example, names)
    assert isinstance(names["report"], Report)


def test_it_says_what_the_command_line_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "json", "."])
    report = check(".")
    assert report.document == json.loads(capsys.readouterr().out)
    assert [(one.code, one.line) for one in report.findings] == [("WC101", 3)]
    assert capsys.readouterr().out == ""


def test_settings_lie_on_top_of_the_projects(folder: Path) -> None:
    (folder / "warpcost.toml").write_text('[levels]\nWC101 = "error"\n')
    assert [one.level for one in check("a.cu").findings] == ["error"]
    assert [one.level for one in check("a.cu", {"levels": {"WC101": "information"}}).findings] == ["information"]
    assert check(Path("a.cu"), {"levels": {"WC101": "off"}, "hints": None}).findings == ()
    assert [one.level for one in analyse_text(STRIDED, {"default_block": (64, "8,8")}).findings] == ["warning"]


def test_a_bad_settings_file_is_a_finding(folder: Path) -> None:
    (folder / "warpcost.toml").write_text("hint = true\n")
    found = check("a.cu").findings
    assert [(one.code, one.kernel, Path(one.path).name) for one in found] == [
        ("WC101", "k", "a.cu"),
        ("WC903", None, "warpcost.toml"),
    ]


@pytest.mark.parametrize(
    "settings",
    [
        {"hint": True},
        {"hints": 3},
        {"values": {"n": object()}},
        {"warning-share": float("nan")},
        {"levels": {"WC1": "x"}},
    ],
)
def test_wrong_settings_are_an_error(folder: Path, settings: dict[str, object]) -> None:
    for run in (lambda: check("a.cu", settings), lambda: analyse_text("", settings)):
        with pytest.raises(InvalidSettings):
            run()


def test_what_cannot_be_read_is_said(folder: Path) -> None:
    report = check(["a.cu", "b.cu", "absent"])
    assert len(report.findings) == 1 and not report.complete
    assert len(report.problems) == 2
    (folder / "empty").mkdir()
    empty = check("empty")
    assert empty.complete and len(empty.problems) == 1
    with pytest.raises(ValueError, match="analyse_text"):
        check("-")


@pytest.mark.parametrize("text", ["", "\0\ud800", b"\xff\xfe{{{", "__global__ void k(", "(" * 5000, "#include <none>"])
def test_no_text_makes_it_fail(text: str | bytes) -> None:
    assert analyse_text(text).complete


def test_levels_are_ordered(folder: Path) -> None:
    report = check("a.cu")
    assert [len(report.at_least(level)) for level in ("hint", "information", "warning", "error")] == [1, 1, 1, 0]
    with pytest.raises(ValueError, match="no level"):
        report.at_least("loud")


def test_a_finding_in_a_header_is_there_once(folder: Path) -> None:
    (folder / "k.cuh").write_text(STRIDED)
    for name in ("x.cu", "y.cu"):
        (folder / name).write_text('#include "k.cuh"\n')
    assert len(check(["x.cu", "y.cu"]).findings) <= 1


def test_what_is_public_is_documented() -> None:
    public = {
        name
        for name in vars(api)
        if not name.startswith("_") and getattr(vars(api)[name], "__module__", "") == api.__name__
    }
    assert public == set(api.__all__)
    assert all(vars(api)[name].__doc__ for name in public)
