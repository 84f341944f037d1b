"""The command line as a user runs it: exit statuses, odd input, pipes, jobs; never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from tests.harness import copied

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "analysis_core" / "report" / "schema1.json").read_text())

STRIDED = """__global__ void every_eighth(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[8 * i];
    }
}
void run(float *out, const float *in, int n) { every_eighth<<<(n + 255) / 256, 256>>>(out, in, n); }
"""
CLEAN = """__global__ void copy(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
void run(float *out, const float *in) { copy<<<64, 256>>>(out, in); }
"""


def warpcost(
    *args: str, cwd: Path, stdin: bytes = b"", python: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs the command line in `cwd`; a traceback on any stream fails the test.  `python`: what Python itself is told as it starts."""
    if python is None:
        done = copied.done("analysis_core", *args, cwd=cwd, stdin=stdin)
    else:
        command = [sys.executable, "-m", "analysis_core", *args]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **python}
        done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, timeout=120, env=environment)
    assert b"Traceback" not in done.stdout + done.stderr, done.stderr.decode(errors="replace")
    return done


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "strided.cu").write_text(STRIDED)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "clean.cuh").write_text(CLEAN)
    (tmp_path / "sub" / "host.cpp").write_text("int main() {}")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "strided.cu").write_text(STRIDED)
    return tmp_path


def test_findings_exit_with_one_and_none_with_zero(project: Path) -> None:
    done = warpcost("check", "strided.cu", cwd=project, python={})
    assert done.returncode == 1, done.stdout
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith(
        "strided.cu:4:18: warning[WC101] uncoalesced-access: Uncoalesced load from `in`: each warp touches 32 sectors where 4 would do (8x)"
    )
    assert lines[1:3] == ["      out[i] = in[8 * i];", "               ^^^^^^^^^"]
    assert lines[-1] == "1 warning in 1 kernel of 1 file"
    clean = warpcost("check", "sub", cwd=project)
    assert (clean.returncode, clean.stdout.splitlines()[-1]) == (0, b"no findings in 1 kernel of 1 file")
    assert warpcost("check", "--fail-on", "error", "strided.cu", cwd=project).returncode == 0
    assert warpcost("check", "--fail-on", "never", "strided.cu", cwd=project).returncode == 0


def test_directories_are_searched_and_globs_left_out(project: Path) -> None:
    done = warpcost("check", ".", cwd=project)
    assert done.stdout.endswith(b"1 warning in 2 kernels of 2 files\n")
    less = warpcost("check", ".", "--exclude", "strided.*", cwd=project)
    assert (less.returncode, less.stdout.splitlines()[-1]) == (0, b"no findings in 1 kernel of 1 file")
    assert warpcost("check", ".", "--exclude", "sub", cwd=project).stdout.endswith(b"of 1 file\n")


def test_json_follows_the_committed_schema(project: Path) -> None:
    done = warpcost("check", ".", "--format", "json", cwd=project)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert [file["path"] for file in document["files"]] == ["strided.cu", "sub/clean.cuh"]
    (kernel,) = document["files"][0]["kernels"]
    (launch,) = kernel["launches"]
    assert (kernel["name"], launch["block"], launch["source"]) == ("every_eighth", [256, 1, 1], "call")
    bad = next(access for access in launch["accesses"] if access["rw"] == "R")
    assert (bad["text"], bad["worst"], bad["ideal"], bad["bytes"], bad["line"]) == ("in[8 * i]", 32, 4, 4, 4)
    start, end = bad["span"]
    assert STRIDED[start:end] == "in[8 * i]"
    empty = warpcost("check", "--format", "json", "-", cwd=project)
    assert json.loads(empty.stdout) == {"schema": 1, "files": [{"path": "<stdin>", "kernels": [], "findings": []}]}


def test_standard_input_and_options(project: Path) -> None:
    done = warpcost("check", "-", "--block", "64", "--format", "json", cwd=project, stdin=STRIDED.encode())
    assert done.returncode == 1
    (launch,) = json.loads(done.stdout)["files"][0]["kernels"][0]["launches"]
    assert (launch["block"], launch["source"]) == ([64, 1, 1], "option")
    none = warpcost("check", "strided.cu", "--kernel", "other", cwd=project)
    assert (none.returncode, none.stdout) == (2, b"no findings in 0 kernels of 1 file\n")
    assert none.stderr == b"warpcost: no kernel is named other; there are: every_eighth\n"


def test_results_do_not_depend_on_the_seed_of_hashes(project: Path) -> None:
    # Every process has a seed of its own, and with --jobs there are several.
    (project / "two_loads.cu").write_text(
        "__global__ void k(int *a, const int *b, const int *c) {\n"
        "    int i = threadIdx.x, x = b[i], y = c[i];\n"
        "    for (int j = x; j < y; j++) if (x > y * 2) a[i] += x;\n"
        "}\nvoid run(int *a) { k<<<1, 256>>>(a, a, a); }\n"
    )
    answers = {
        warpcost("check", ".", "--format", "json", cwd=project, python={"PYTHONHASHSEED": str(seed)}).stdout
        for seed in range(3)
    }
    assert len(answers) == 1


def test_places_in_headers_name_their_file(project: Path) -> None:
    (project / "load.cuh").write_text("\n\n__device__ float load(const float *p, int i) { return p[8 * i]; }\n")
    (project / "user.cu").write_text(
        '#include "load.cuh"\n__global__ void k(float *a, const float *b) { a[threadIdx.x] = load(b, threadIdx.x); }\n'
        "void run(float *a, float *b) { k<<<1, 256>>>(a, b); }\n"
    )
    done = warpcost("check", "user.cu", "--format", "json", cwd=project)
    answer = json.loads(done.stdout)
    jsonschema.validate(answer, SCHEMA)
    (kernel,) = answer["files"][0]["kernels"]
    (finding,) = kernel["findings"]
    assert (finding["path"], finding["line"]) == ("load.cuh", 3)
    assert [access.get("path") for access in kernel["launches"][0]["accesses"]] == ["load.cuh", None]


def test_the_order_of_output_does_not_depend_on_jobs(project: Path) -> None:
    for number in range(6):
        (project / f"k{number}.cu").write_text(STRIDED if number % 2 else CLEAN)
    one = warpcost("check", ".", cwd=project)
    two = warpcost("check", ".", "--jobs", "2", cwd=project)
    assert (one.stdout, one.returncode) == (two.stdout, two.returncode)
    assert one.stdout.count(b"WC101") == 4


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["check", "x.cu", "--block", "2048"], b"at most 1024 threads"),
        (["check", "x.cu", "--block", "a,b"], b"is not a block"),
        (["check", "x.cu", "--grid", "0"], b"at least 1"),
        (["check", "x.cu", "--set", "n"], b"is not NAME=INT"),
        (["check", "x.cu", "--assume", "n =="], b"'n =='"),
        (["check", "x.cu", "-D", "1x"], b"is not NAME"),
        (["check", "x.cu", "--cc", "3.5"], b"older than 6.0"),
        (["check", "x.cu", "--jobs", "many"], b"not a number of processes"),
        (["check", "x.cu", "--format", "xml"], b"invalid choice"),
        (["check", "x.cu", "--config", "none.toml"], b"none.toml"),
        (["check", "nothing.cu"], b"cannot read nothing.cu: no such file"),
        (["explain", "nothing.cu", "--stage", "ir"], b"no such file"),
        (["stats", "nothing"], b"no such file"),
        (["rule", "WC999"], b"unknown rule WC999"),
        (["rule", "../../README"], b"unknown rule"),
        (["frobnicate"], b"frobnicate"),
        (["chekc", "x.cu"], b"did you mean `check`?"),
        (["check", "x.cu", "--fromat", "json"], b"unrecognized arguments: --fromat json; did you mean `--format`?"),
        (["check", "x.cu", "--format", "jsn"], b"did you mean `json`?"),
    ],
)
def test_wrong_use_is_one_message_and_status_two(tmp_path: Path, args: list[str], part: bytes) -> None:
    (tmp_path / "x.cu").write_text(CLEAN)
    done = warpcost(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr


def test_commands_alone_do_the_natural_thing(project: Path) -> None:
    alone = warpcost(cwd=project)
    assert alone.returncode == 0 and alone.stdout.startswith(b"usage: warpcost") and b"simulate" in alone.stdout
    here, named = warpcost("check", cwd=project), warpcost("check", ".", cwd=project)
    assert (here.returncode, here.stdout) == (named.returncode, named.stdout) and here.returncode == 1
    everything, measured = warpcost("rule", cwd=project), warpcost("stats", cwd=project)
    assert everything.stdout.startswith(b"WC101  uncoalesced-access: ") and measured.stdout.startswith(b"files 2, ")
    shown, report = (warpcost("explain", "strided.cu", *more, cwd=project) for more in ((), ("--stage", "report")))
    assert shown.stdout == report.stdout != b""


def test_the_cards_of_a_line_are_those_of_an_editor(project: Path) -> None:
    shown = warpcost("explain", "strided.cu", "--line", "4", cwd=project)
    out = shown.stdout.decode()
    assert shown.returncode == 0 and out.startswith("strided.cu:4:")
    assert "in[8 * i]\n\n**Each warp touches 32 sectors where 4 would do (8x)**" in out and "\nlane " in out
    named = warpcost("explain", "strided.cu", "--line", "1", cwd=project).stdout
    assert named.startswith(b"strided.cu:1:17: every_eighth\n\n**every_eighth**")
    for line in (b"2", b"900"):
        none = warpcost("explain", "strided.cu", "--line", line.decode(), cwd=project)
        assert (none.returncode, none.stdout) == (
            0,
            b"strided.cu:%s: no kernel, access, branch, barrier or claim begins on this line\n" % line,
        )


@pytest.mark.parametrize(
    "command", ["check", "explain", "explain --line 4", "explain --why 4", "report", "stats", "simulate"]
)
def test_a_kernel_that_is_not_there_is_an_error(project: Path, command: str) -> None:
    done = warpcost(*command.split(), "strided.cu", "--kernel", "every_eigth", cwd=project)
    assert done.returncode == 2
    assert done.stderr == b"warpcost: no kernel is named every_eigth; did you mean `every_eighth`?\n"


def test_colours_can_be_forced(project: Path) -> None:
    forced = warpcost("check", "strided.cu", cwd=project, python={"FORCE_COLOR": "1", "NO_COLOR": ""})
    assert b"\x1b[1;33mwarning[WC101]\x1b[0m" in forced.stdout
    both = warpcost("check", "strided.cu", cwd=project, python={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert b"\x1b[" not in both.stdout


def test_an_unreadable_file_does_not_stop_the_others(project: Path) -> None:
    done = warpcost("check", "nothing.cu", "strided.cu", cwd=project)
    assert done.returncode == 2
    assert b"WC101" in done.stdout and b"nothing.cu" in done.stderr
    (project / "sub" / "link.cu").symlink_to("nowhere.cu")
    done = warpcost("check", "sub", cwd=project)
    assert done.returncode == 2 and b"link.cu" in done.stderr and b"1 kernel" in done.stdout


def test_an_empty_directory_is_said_and_no_error(tmp_path: Path) -> None:
    done = warpcost("check", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"warpcost: no .cu or .cuh file, nor a header with a kernel, in .\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01\x02\xff\xfe" * 100,
        bytes(range(256)) * 20,
        b"__global__ void k(",
        b"__global__ void k() { " + b"{" * 500,
        b"}" * 500,
        b"__global__ void k(int *a) { a[0] = " + b"(" * 3000 + b"1" + b")" * 3000 + b"; }",
        b"#define A A A\n#define B(x) B(x) B(x)\n__global__ void k(int *a) { a[0] = A; B(1); }",
        b"enum { Z = 1 / 0 };\n__global__ void k(int *a) { a[1 / 0] = 1 % 0; }",
        b"#include \"bad.cu\"\n#include <missing.h>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }",
        b"__device__ int f(int x) { return f(x - 1); }\n__global__ void k(int *a) { a[0] = f(3); }",
        "__global__ void k\u00e9(int *\u540d) { \u540d[threadIdx.x] = 1; }".encode(),
        ("\ufeff" + STRIDED).encode("utf-16"),
    ],
)  # fmt: skip
def test_bad_input_gives_a_result_and_no_traceback(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bad.cu").write_bytes(data)
    done = warpcost("check", "bad.cu", cwd=tmp_path)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert b"internal error" not in done.stdout
    done = warpcost("check", "bad.cu", "--format", "json", cwd=tmp_path)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(done.stdout))


def test_a_closed_pipe_is_no_error(project: Path) -> None:
    for number in range(40):
        (project / f"k{number}.cu").write_text(STRIDED)
    process = subprocess.Popen(
        [sys.executable, "-m", "analysis_core", "check", "."],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), errors) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_quietly(project: Path, jobs: str) -> None:
    for number in range(400):
        (project / f"k{number:03}.cu").write_text(STRIDED)
    process = subprocess.Popen(
        [sys.executable, "-m", "analysis_core", "check", ".", "--jobs", jobs],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
        },  # The first line comes with the first file.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # Whatever runs in the background ignores it.
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"warpcost: interrupted\n")


def test_output_that_the_terminal_cannot_encode(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(STRIDED.replace("out[i] = in", "/* \u540d */ out[i] = in"))
    done = warpcost("check", "x.cu", cwd=tmp_path, python={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1 and b"\\u540d" in done.stdout


def test_settings_files_are_found_and_their_troubles_reported(project: Path) -> None:
    (project / "warpcost.toml").write_text("warning-share = 1.0\nblok = 3\n")
    done = warpcost("check", "strided.cu", cwd=project)
    assert done.returncode == 1
    text = done.stdout.decode()
    assert "warpcost.toml:2:1: warning[WC903] bad-setting: unknown setting 'blok'" in text
    assert "information[WC101]" in text
    assert warpcost("check", "strided.cu", "--no-config", cwd=project).stdout.startswith(b"strided.cu:4:18: warning")
    document = json.loads(warpcost("check", "strided.cu", "--format", "json", cwd=project).stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_suppressions(project: Path) -> None:
    (project / "strided.cu").write_text(STRIDED.replace("in[8 * i];", "in[8 * i];  // warpcost: ignore[WC101]"))
    done = warpcost("check", "strided.cu", cwd=project)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, b"no findings in 1 kernel of 1 file")


@pytest.mark.parametrize(
    ("stage", "part"),
    [
        ("syntax", b"every_eighth"),
        ("ir", b"load[4]"),
        ("events", b"in[8 * i]"),
        ("report", b"worst=32 best=32 ideal=4"),
    ],
)
def test_every_stage_can_be_seen(project: Path, stage: str, part: bytes) -> None:
    done = warpcost("explain", "strided.cu", "--stage", stage, cwd=project)
    assert done.returncode == 0, done.stderr
    assert part in done.stdout


def test_statistics(project: Path) -> None:
    done = warpcost("stats", ".", "--jobs", "2", cwd=project)
    assert done.returncode == 0
    text = done.stdout.decode()
    assert "files 2, kernels 2, launches 2" in text
    assert "time syntax" in text and "time interp" in text
    assert "accesses 4: exact 4" in text and "worst = best or a residue case 4 (100.0%)" in text
    assert "slowest files:" in text


def test_statistics_for_scripts(project: Path) -> None:
    done = warpcost("stats", ".", "--format", "json", cwd=project)
    found = json.loads(done.stdout)
    assert (found["kernels"], found["direct"]["all"], found["failures"]) == (2, sum(found["accesses"].values()), [])


def test_assumptions_can_be_options(tmp_path: Path) -> None:
    text = b"__global__ void shifted(float *a, int n) { a[threadIdx.x + n] = 1.0f; }\n"
    (tmp_path / "shifted.cu").write_bytes(text)
    command = ("explain", "shifted.cu", "--stage", "events", "--block", "32")
    assert b"worst 5, best 4" in warpcost(*command, cwd=tmp_path).stdout
    stated = warpcost(*command, "--assume", "n % 8 == 0", "--assume", "m > 3", cwd=tmp_path)
    assert b"worst 4, best 4" in stated.stdout
    assert b"assume n % 8 == 0" in stated.stdout and b"m > 3" not in stated.stdout


def test_rules_have_pages(tmp_path: Path) -> None:
    done = warpcost("rule", "wc101", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.decode() == (ROOT / "docs" / "rules" / "WC101.md").read_text()
    assert warpcost("rule", "bank-conflict", cwd=tmp_path).stdout.startswith(b"# WC201")
    assert warpcost("rule", "levels", cwd=tmp_path).stdout.startswith(b"# Levels")
    assert b"did you mean `bank-conflict`?" in warpcost("rule", "bank-confict", cwd=tmp_path).stderr


def test_the_version_is_printed(tmp_path: Path) -> None:
    done = warpcost("--version", cwd=tmp_path)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert done.returncode == 0 and done.stdout.decode() == f"warpcost {project['version']}\n"


def test_annotations_are_shown_with_what_rests_on_them(tmp_path: Path) -> None:
    text = (
        "//@ launch block=(32) grid=(ceil(n / 32))\n"
        "//@ assume n % 8 == 0 && nn > 1\n"
        "__global__ void rows(float *a, int n) { a[blockIdx.x * n + threadIdx.x] = 1.0f; }\n"
    )
    (tmp_path / "rows.cu").write_text(text)
    done = warpcost("check", "rows.cu", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[:3] == [
        "rows.cu:2:26: warning[WC901] bad-annotation: `nn` is neither a parameter of this kernel nor a constant; "
        "did you mean `n`?",
        "      //@ assume n % 8 == 0 && nn > 1",
        "                               ^^",
    ]
    document = json.loads(warpcost("check", "rows.cu", "--format", "json", cwd=tmp_path).stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    (kernel,) = document["files"][0]["kernels"]
    (launch,) = kernel["launches"]
    assert (launch["source"], launch["grid"]) == ("annotation", ["ceil_div(n, 32)", "1", "1"])
    assert "n % 8 == 0" in launch["assumptions"]
    assert [access["worst"] for access in launch["accesses"]] == [4]
    assert [finding["code"] for finding in kernel["findings"]] == ["WC901"]
    assert warpcost("rule", "WC901", cwd=tmp_path).stdout.startswith(b"# WC901")


def test_cost_programs_and_their_proofs_are_explained(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(
        "__global__ void k(float *a, int n) { for (int i = 0; i < n; i++) a[32 * i + threadIdx.x] = 1.0f; }\n"
    )
    programs = warpcost("explain", "x.cu", "--stage", "cost", cwd=tmp_path).stdout
    assert b"while" in programs
    assert b"a[32 * i + threadIdx.x]" in programs
    proofs = warpcost("explain", "x.cu", "--stage", "lp", cwd=tmp_path).stdout
    assert b"sectors: at most 4*n, at least 4*n" in proofs
    assert b"x.cu:1:" in proofs


def test_a_value_for_a_name_that_no_kernel_has_is_told(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    (tmp_path / "other.cu").write_text(CLEAN.replace("copy", "copied").replace("float *out,", "float *out, int width,"))
    done = warpcost("check", "k.cu", "other.cu", "--set", "n=64", "--set", "widht=3", "--set", "T17=5", cwd=tmp_path)
    told = done.stderr.decode().splitlines()
    assert [line for line in told if "--set" in line] == [
        "warpcost: --set widht: no kernel has a parameter of this name; did you mean `width`?",
        "warpcost: --set T17: no kernel has a parameter of this name",
    ]
    assert (
        "--set" not in warpcost("check", "k.cu", "--set", "n=64", "--set", "gridDim_x=2", cwd=tmp_path).stderr.decode()
    )


def test_why_something_is_told_or_not(tmp_path: Path) -> None:
    text = b"""__global__ void k(float *a, const int *idx, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[8 * i];
    a[i] = b[idx[i]];
    if (i % 2) a[i] = 0.0f;
}
void go(float *a, const int *x, float *b, int n) { k<<<n / 256, 256>>>(a, x, b, n); }
"""
    (tmp_path / "k.cu").write_bytes(text)

    def why(line: int) -> str:
        done = warpcost("explain", "k.cu", "--why", str(line), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    assert "`b[8 * i]` of kernel k, block 256" in why(3) and "reported as warning" in why(3)
    assert "yes   memory decides (pattern): what it costs depends on data, and may be little -> information" in why(4)
    assert "hint, which --hints shows" in why(4) and "`idx[i]`" in why(4) and "the ideal: nothing is asked" in why(4)
    assert "-> silent\n  silent\n" in why(5)
    assert why(1) == "k.cu:1: no access or branch of a kernel begins on this line\n"
