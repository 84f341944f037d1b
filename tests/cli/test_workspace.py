"""What is read for a file, and how much: nothing outside of the workspace, and nothing without a limit that is asked first."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path

import pytest

from analysis_core.main import main
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.parse import parse
from analysis_core.workspace.compile_commands import nearest_database, read_database, settings_of
from analysis_core.workspace.compiler_flags import options_of
from analysis_core.workspace.disk import MOST_BYTES, DiskFiles
from analysis_core.workspace.makefiles import flags_around, read_makefile
from analysis_core.workspace.settings_file import BUDGETS, find_settings, read_settings
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

SECRET = "int secret_word_of_another;\n"
KERNEL = "__global__ void k(float *a) { a[8 * threadIdx.x] = 1; }\n"


def project(tmp_path: Path) -> Path:
    """A repository `p` beside a file that is none of its business."""
    (tmp_path / "secret.h").write_text(SECRET)
    (tmp_path / "p" / ".git").mkdir(parents=True)
    (tmp_path / "p" / "src").mkdir()
    (tmp_path / "p" / "common").mkdir()
    (tmp_path / "p" / "common" / "grid.h").write_text("#define STRIDE 16\n")
    return tmp_path / "p"


@pytest.mark.parametrize("include", ["{secret}", "../../secret.h", "../link.h", "../folder/secret.h"])
@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_a_file_outside_of_the_workspace_is_absent(
    include: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = project(tmp_path)
    (top / "link.h").symlink_to(tmp_path / "secret.h")
    (top / "folder").symlink_to(tmp_path)
    name = include.format(secret=tmp_path / "secret.h")
    body = f'__global__ void k(float *a) {{\n#include "{name}"\n  a[8 * threadIdx.x] = 1;\n}}\n'
    (top / "src" / "a.cu").write_text(f'#include "{name}"\n{body}')
    main(["check", "--no-config", "--hints", "--format", form, str(top / "src" / "a.cu")])
    assert "secret_word" not in capsys.readouterr().out


def test_the_project_and_what_is_configured_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    top = project(tmp_path)
    text = KERNEL.replace("8 *", "STRIDE *")
    (top / "src" / "a.cu").write_text('#include "../common/grid.h"\n' + text)
    main(["check", "--no-config", "--format", "json", str(top / "src" / "a.cu")])
    assert not [f for f in _findings(capsys) if f["code"] == "WC900"]
    (top / "src" / "b.cu").write_text(
        "#include <secret.h>\n" + text.replace("STRIDE", "sizeof(secret_word_of_another)")
    )
    main(["check", "--no-config", "--format", "json", "-I", str(tmp_path), str(top / "src" / "b.cu")])
    assert not [f for f in _findings(capsys) if f["code"] == "WC900"]


def _findings(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    (file,) = json.loads(capsys.readouterr().out)["files"]
    return [f for kernel in file["kernels"] for f in kernel["findings"]]


def test_which_folders_are_a_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("p/.git", "p/a/b/c/d/e", "q/src", "r/x/y"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "r" / "Makefile").write_text("")
    real = tmp_path.resolve()
    assert workspace_of(str(tmp_path / "p/a/b/c/d/e")) == str(real / "p")
    assert workspace_of(str(tmp_path / "r/x/y")) == str(real / "r")
    assert workspace_of(str(tmp_path / "q/src")) == str(real / "q")
    monkeypatch.setenv("HOME", str(tmp_path / "q"))
    assert workspace_of(str(tmp_path / "q/src")) == str(real / "q/src")
    (tmp_path / "q" / ".git").mkdir(exist_ok=True)  # a home's settings are kept in one, and no project is
    (tmp_path / "q" / "one" / "src").mkdir(parents=True)
    assert workspace_of(str(tmp_path / "q/one/src")) == str(real / "q/one")
    for place in ("r", "q", "."):  # wherever one stands
        monkeypatch.chdir(tmp_path / place)
        assert workspace_of(str(tmp_path / "r/x")) == str(real / "r")
        assert workspace_of(os.path.relpath(tmp_path / "p/a/b")) == str(real / "p")


def test_names_that_are_none_lead_nowhere(tmp_path: Path) -> None:
    files = WorkspaceFiles([str(tmp_path)])
    assert files.read(f"{tmp_path}/a\0b") is None and files.read("\0") is None and files.read("") is None


def test_makefiles_and_response_files_of_others_are_not_read(tmp_path: Path) -> None:
    top = project(tmp_path)
    (tmp_path / "flags.mk").write_text("CFLAGS := -DSECRET=1\n")
    (top / "Makefile").write_text(f"include ../flags.mk\nCFLAGS := -I{tmp_path} -Icommon\n")
    flags = flags_around(str(top), Store())
    assert flags.defines == {} and flags.include_paths == (str(top / "common"),)
    (tmp_path / "flags.rsp").write_text("-DSECRET=1\n")
    (top / "own.rsp").write_text("-DOWN=2\n")
    entry = {"file": "src/a.cu", "directory": str(top), "command": "nvcc @../flags.rsp @own.rsp -c src/a.cu"}
    database = read_database(str(top / "compile_commands.json"), json.dumps([entry]).encode())
    assert database is not None and database.of(str(top / "src/a.cu")).defines == {"OWN": "2"}


def test_a_response_file_that_names_itself_ends() -> None:
    reads = []

    def read(path: str) -> str:
        reads.append(path)
        return "-DA=1 " + "@r.rsp " * 300

    found = options_of(["@r.rsp"] * 300, "/", read)
    assert set(found) == {("-D", "A=1")} and len(found) == len(reads) <= 64


def test_a_makefile_of_variables_of_variables_takes_what_it_is_allowed() -> None:
    text = "A0 := " + "x" * 9_000 + "\n" + "".join(f"A{i} := {f'$(A{i - 1}) ' * 50}\n" for i in range(1, 40))
    text += f"B = {'$(A39)' * 5_000}\n" + "ALL += $(A39)\n" * 2_000
    tracemalloc.start()
    read_makefile(text, "/")
    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        "#define S(x) #x\n#define T(x) S(x)\n"
        + "".join(f"#define M{i} T(M{i - 1} M{i - 1})\n" for i in range(1, 26)).replace("M0", '"\\\\"')
        + "__constant__ char c[] = M25;\n",
        "#define C(a, b) a##b\n#define D(a, b) C(a, b)\n"
        + "".join(f"#define N{i} D(N{i - 1}, N{i - 1})\n" for i in range(1, 40)).replace("N0", "abcdefgh")
        + "int N39;\n",
    ],
)
def test_texts_that_macros_make_are_asked_for_before_they_are_made(text: str) -> None:
    tracemalloc.start()
    tree = parse("a.cu", MemoryFiles({"a.cu": (text + KERNEL).encode()}), Settings())
    assert tracemalloc.get_traced_memory()[1] < 300_000_000
    tracemalloc.stop()
    assert any("too large" in problem.reason for problem in tree.problems)


def test_huge_files_are_absent_and_said_where_they_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("huge.h", "huge.cu", "warpcost.toml"):
        with open(tmp_path / name, "wb") as file:
            file.truncate(3_000_000_000)
    assert DiskFiles().read(str(tmp_path / "huge.h")) is None and MOST_BYTES < 3_000_000_000
    assert find_settings(str(tmp_path), Settings()).path != str(tmp_path / "warpcost.toml")
    (tmp_path / "a.cu").write_text('#include "huge.h"\n' + KERNEL)
    assert main(["check", "--no-config", "--fail-on", "never", str(tmp_path / "a.cu")]) == 0
    assert main(["check", "--no-config", str(tmp_path / "huge.cu")]) == 2
    assert "huge.cu: it has more than 64 MB" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(BUDGETS))
def test_a_project_may_lower_a_budget_and_the_user_may_raise_it(name: str) -> None:
    base, key = getattr(Settings(), name), name.replace("_", "-")
    more = f"{key} = {int(base * 1000) + 1}".encode()
    project = read_settings("warpcost.toml", more, Settings())
    assert getattr(project.settings, name) == base
    (finding,) = project.findings
    assert f"may lower this, not raise it: {base} holds" in finding.message
    own = read_settings("warpcost.toml", more, Settings(), own=True)
    assert getattr(own.settings, name) == int(base * 1000) + 1 and not own.findings
    lower = read_settings("warpcost.toml", f"{key} = {max(1, int(base / 2))}".encode(), Settings())
    assert getattr(lower.settings, name) == max(1, int(base / 2)) and not lower.findings


def test_flags_are_found_under_every_spelling_of_a_file(tmp_path: Path) -> None:
    top = project(tmp_path)
    (tmp_path / "other").symlink_to(top)
    entry = {"file": "src/a.cu", "directory": str(top), "command": "nvcc -DOWN=2 -c src/a.cu"}
    (top / "compile_commands.json").write_text(json.dumps([entry]))
    (top / "src" / "a.cu").write_text(KERNEL)
    store = Store()
    for spelled in (top / "src" / "a.cu", tmp_path / "other" / "src" / "a.cu"):
        found = find_settings(os.path.dirname(spelled), Settings())
        database = nearest_database(os.path.dirname(spelled), store)
        assert settings_of(str(spelled), found, database, store).defines == {"OWN": "2"}


@pytest.mark.parametrize("include", ["{secret}", "../../secret.h", "../link.h"])
def test_what_is_not_read_is_not_called_missing(
    include: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor is it asked whether it is there; what allows it is said, and does."""
    top = project(tmp_path)
    (tmp_path / "secret.h").write_text("#define STRIDE 16\n")
    (top / "link.h").symlink_to(tmp_path / "secret.h")
    name = include.format(secret=tmp_path / "secret.h")
    (top / "src" / "a.cu").write_text(f'#include "{name}"\n#include "gone.h"\n' + KERNEL.replace("8 *", "STRIDE *"))
    check = ["check", "--no-config", "--format", "json", str(top / "src" / "a.cu")]
    main(check)
    (said,) = [str(f["message"]) for f in _findings(capsys) if f["code"] == "WC900"]
    assert f"missing: gone.h; not read: {name}, which leads out of the project" in said and "include path" in said
    (tmp_path / "secret.h").unlink()
    main(check)
    assert said in [f["message"] for f in _findings(capsys)]
    (tmp_path / "secret.h").write_text("#define STRIDE 16\n")
    main([*check, "-I", str(tmp_path)])
    assert "WC900" not in [f["code"] for f in _findings(capsys)]
