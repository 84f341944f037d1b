"""Compilation databases: what counts of an entry, which entry is a file's, and that nothing in one does harm."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.main import main
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.workspace.compile_commands import (
    NAME,
    Database,
    Flags,
    checked,
    database_of,
    nearest_database,
    read_database,
    settings_of,
)
from analysis_core.workspace.settings_file import SettingsFile, find_settings, read_settings
from lsp_server.analyse import Job, analyse
from lsp_server.options import EditorOptions, overridden, read_options


def database(*entries: dict[str, Any], path: str = "/p/build/compile_commands.json") -> Database:
    found = read_database(path, json.dumps(entries).encode())
    assert found is not None
    return found


def flags(command: str | list[str], directory: str = "/p/build") -> Flags:
    spelled = {"command": command} if isinstance(command, str) else {"arguments": command}
    path = f"{directory}/compile_commands.json"
    return database({"directory": directory, "file": "/p/a.cu", **spelled}, path=path).of("/p/a.cu")


@pytest.mark.parametrize(
    ("command", "include_paths", "defines", "cc"),
    [
        ("nvcc -I../inc -I /abs -c a.cu -o a.o", ("/p/inc", "/abs"), {}, None),
        ("nvcc -isystem=/sys -isystem /two -iquote three", ("/sys", "/two", "/p/build/three"), {}, None),
        ("nvcc --include-path=one --include-path two", ("/p/build/one", "/p/build/two"), {}, None),
        ("nvcc -I/same -I/same/", ("/same",), {}, None),
        ("nvcc -DN=32 -D M -D=K=1 -DN=64", (), {"N": "64", "M": "1", "K": "1"}, None),
        ("nvcc -DN=32 -DM -UN --undefine-macro M", (), {}, None),
        ("nvcc '-DF(x)=x' -DG=1", (), {"G": "1"}, None),  # a macro with parameters is left out
        ('nvcc "-DNAME=\\"a b\\"" "-DT=unsigned int"', (), {"NAME": '"a b"', "T": "unsigned int"}, None),
        ("nvcc -arch=sm_80 -c a.cu", (), {}, "8.0"),
        ("nvcc -gencode arch=compute_70,code=sm_70 -gencode arch=compute_86,code=sm_86", (), {}, "8.6"),
        ("nvcc --generate-code=arch=compute_90a,code=[sm_90a]", (), {}, "9.0"),
        ("clang++ --cuda-gpu-arch=sm_75 -x cuda", (), {}, "7.5"),
        ("nvcc -arch=sm_35", (), {}, None),  # older than what is described
        ("nvcc -I/usr/include -isystem /usr/lib/x -I/usr/src/app", ("/usr/src/app",), {}, None),
        ("nvcc -I", (), {}, None),
        ("nvcc 'not closed -DN=1", (), {}, None),
    ],
)
def test_what_counts_of_a_command(
    command: str, include_paths: tuple[str, ...], defines: dict[str, str], cc: str | None
) -> None:
    assert flags(command) == Flags(include_paths, defines, cc)


def test_arguments_are_taken_as_they_are() -> None:
    assert flags(["nvcc", "-I", "a b", "-DX=y z", 3, "-I"]) == Flags(("/p/build/a b",), {"X": "y z"})  # type: ignore[list-item]


def test_response_files_are_read_in_their_place(tmp_path: Path) -> None:
    (tmp_path / "inc.rsp").write_text("-I/one --options-file deep.rsp\n-isystem=/three\n")
    (tmp_path / "deep.rsp").write_text('-DN=5 "-I/t w o" @deep.rsp')
    there = flags("nvcc --options-file inc.rsp -I/four @missing.rsp", str(tmp_path))
    assert there == Flags(("/one", "/t w o", "/three", "/four"), {"N": "5"})


def test_toolkits_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "cuda_runtime.h").write_text("")
    assert flags(f"nvcc -I{tmp_path} -I/other").include_paths == ("/other",)


def test_a_file_without_an_entry_is_read_as_the_nearest() -> None:
    def entry(file: str, number: int) -> dict[str, Any]:
        return {"directory": "/p", "file": file, "command": f"nvcc -DN={number}"}

    found = database(entry("src/host.cpp", 1), entry("src/k.cu", 2), entry("lib/deep/x.cu", 3), entry("src/k.cu", 4))
    at = {path: found.of(path).defines["N"] for path in ("/p/src/k.cu", "/p/src/k.cuh", "/p/lib/y.h", "/p/include/z.h")}
    assert at == {"/p/src/k.cu": "2", "/p/src/k.cuh": "2", "/p/lib/y.h": "3", "/p/include/z.h": "2"}
    assert database().of("/p/src/k.cu") == Flags()


def test_settings_come_first() -> None:
    said = read_settings("/p/warpcost.toml", b'include-paths = ["mine"]\n[defines]\nN = 1\n', Settings())
    built = Flags(("/p/mine", "/p/theirs"), {"N": "2", "M": "3"}, "8.0")
    listed = Database("/p/" + NAME, {"/p/k.cu": built})
    settings = settings_of("/p/k.cu", said, listed, Store())
    assert settings.include_paths == ("/p/mine", "/p/theirs")
    assert settings.defines == {"N": "1", "M": "3"}
    assert settings.compute_capability == "8.0"
    chosen = read_settings("/p/warpcost.toml", b"cc = 9.0", Settings())
    assert settings_of("/p/k.cu", chosen, listed, Store()).compute_capability == "9.0"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A kernel whose stride is a macro of the build, and whose header lies where the build says."""
    (tmp_path / "src").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / "inc" / "stride.h").write_text("#define AT(i) ((i) * STRIDE)\n")
    (tmp_path / "src" / "k.cu").write_text(
        '#include "stride.h"\n__global__ void k(float *a) { a[AT(threadIdx.x)] = 0; }\n'
    )
    entry = {"directory": str(tmp_path), "file": "src/k.cu", "command": "nvcc -Iinc -DSTRIDE=32 -c src/k.cu"}
    (tmp_path / "build" / NAME).write_text(json.dumps([entry]))
    return tmp_path


def checked_with(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    main(["check", *arguments])
    return capsys.readouterr().out


def test_a_kernel_is_read_as_it_is_built(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = str(project / "src" / "k.cu")
    assert "32 sectors where" in checked_with(kernel, capsys=capsys)
    assert "32 sectors where" not in checked_with("--no-config", kernel, capsys=capsys)
    (project / "warpcost.toml").write_text("compile-commands = false\n")
    assert "32 sectors where" not in checked_with(kernel, capsys=capsys)
    (project / "warpcost.toml").write_text('compile-commands = "build"\n[defines]\nSTRIDE = 2\n')
    assert "8 sectors where" in checked_with(kernel, capsys=capsys)
    assert "8 sectors where" in checked_with("--compile-commands", str(project / "build"), kernel, capsys=capsys)


def test_a_database_that_is_not_there_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = str(project / "src" / "k.cu")
    (project / "warpcost.toml").write_text('compile-commands = "out"\n')
    told = checked_with(kernel, capsys=capsys)
    assert (
        "warpcost.toml:1:20: warning[WC903]" in told and f"no compilation database can be read from '{project}" in told
    )
    assert main(["check", "--compile-commands", "nowhere", kernel]) == 2
    assert capsys.readouterr().err == "warpcost: no compilation database can be read from nowhere\n"


@pytest.mark.parametrize("value", [b"3", b"true", b'""', b"[]"])
def test_what_names_no_database_is_told(value: bytes) -> None:
    found = read_settings("warpcost.toml", b"compile-commands = " + value, Settings())
    (finding,) = found.findings
    assert "a compilation database or its folder is expected here, or false" in finding.message
    assert found.compile_commands is None


def test_editors_read_it_too_and_again_when_it_changes(project: Path) -> None:
    path = project / "src" / "k.cu"

    def told() -> str:
        (finding,) = analyse(Job(str(path), {str(path): path.read_bytes()}, EditorOptions())).report.findings
        return finding.message

    assert told().startswith("Uncoalesced store to `a`: each warp touches 32 sectors")
    listed = project / "build" / NAME
    listed.write_text(listed.read_text().replace("STRIDE=32", "STRIDE=4"))
    assert told().startswith("Uncoalesced store to `a`: each warp touches 16 sectors")


def test_an_editor_names_another_database(project: Path) -> None:
    other = project / "other.json"
    other.write_text((project / "build" / NAME).read_text().replace("STRIDE=32", "STRIDE=2"))
    plain = find_settings(str(project), Settings())
    none = overridden(read_options({"compileCommands": False}), plain)
    assert database_of(none, str(project / "src"), Store()) is None
    said = overridden(read_options({"compileCommands": str(other)}), plain)
    found = database_of(said, str(project / "src"), Store())
    assert found is not None and found.of(str(project / "src" / "k.cu")).defines == {"STRIDE": "2"}


def test_a_database_is_read_once(project: Path) -> None:
    store = Store()
    first = nearest_database(str(project / "src"), store)
    assert first is not None and nearest_database(str(project / "src"), store) is first
    os.utime(project / "build" / NAME, ns=(1, 1))
    again = nearest_database(str(project / "src"), store)
    assert again is not first and again == first


def test_a_broken_one_is_passed_by(project: Path) -> None:
    (project / "src" / NAME).write_text("[{")
    os.mkfifo(project / NAME)
    found = nearest_database(str(project / "src"), Store())
    assert found is not None and found.path == str(project / "build" / NAME)
    named = read_settings(str(project / "warpcost.toml"), b'compile-commands = "src"', Settings())
    assert len(checked(named, Store()).findings) == 1
    assert checked(SettingsFile(None, Settings()), Store()).findings == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(("file", "-I", "-D", "@", "-arch")),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(("directory", "file", "command", "arguments")), inner)
    ),
    max_leaves=20,
)


@given(JSON)
def test_nothing_in_a_database_does_harm(value: object) -> None:
    found = read_database("/p/compile_commands.json", json.dumps(value).encode())
    assert (found is None) == (not isinstance(value, list))
    if found is not None:
        found.of("/p/a.cu")


@given(st.binary())
def test_nor_do_other_bytes(data: bytes) -> None:
    read_database("/p/compile_commands.json", data)
