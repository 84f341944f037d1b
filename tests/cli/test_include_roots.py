"""Includes that start from a folder of the project, where no build says from which."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analysis_core.main import main
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.lex.includes import find
from analysis_core.workspace import include_roots as module
from analysis_core.workspace.compile_commands import settings_of
from analysis_core.workspace.include_roots import include_roots
from analysis_core.workspace.project import Folders, includers_of, tops_of
from analysis_core.workspace.scan import scan
from analysis_core.workspace.settings_file import SettingsFile


def put(top: Path, texts: dict[str, str]) -> None:
    for path, text in {"p/.git/HEAD": "", **texts}.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)


def roots(top: Path, path: str = "p/src/sim/k.cu", store: Store | None = None) -> list[str]:
    found = include_roots(str(top / path), store or Store())
    return [os.path.relpath(root, os.path.realpath(top)) for root in found]


def test_a_header_is_found_by_the_end_of_its_path(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "p/src/sim/k.cu": '#include "Gate.h"\n#include <lib/utils/Tensor.cuh>\n#include "beside.h"\n',
            "p/src/sim/beside.h": "",
            "p/src/gate/Gate.h": "",
            "p/code/lib/utils/Tensor.cuh": '#include "../Other.h"\n#include "wave/W.h"\n',
            "p/code/lib/Other.h": "",
            "p/include/wave/W.h": "",
        },
    )
    assert roots(tmp_path) == ["p/src/gate", "p/code", "p/include"]


def test_the_nearest_holds_and_of_two_neither(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "p/src/sim/k.cu": '#include "Gate.h"\n#include "Two.h"\n',
            "p/src/gate/Gate.h": "",
            "p/other/gate/Gate.h": "",
            "p/a/Two.h": "",
            "p/b/Two.h": "",
        },
    )
    assert roots(tmp_path) == ["p/src/gate"]


def test_names_of_the_system_are_left_alone(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"p/src/sim/k.cu": '#include <math.h>\n#include <ops.cuh>\n#include "cuda.h"\n#include <cub/cub.cuh>\n'},
    )
    put(tmp_path, {"p/c/math.h": "", "p/d/ops.cuh": "", "p/e/cuda.h": "", "p/f/cub/cub.cuh": ""})
    assert roots(tmp_path) == ["p/d"]


def test_what_is_built_elsewhere_or_belongs_to_others_does_not_count(tmp_path: Path) -> None:
    text = {"p/src/sim/k.cu": '#include "Gate.h"\n#include "Far.h"\n', "q/Far.h": "", "p/build/Gate.h": ""}
    put(tmp_path, text)
    assert roots(tmp_path) == []
    os.symlink(tmp_path / "q", tmp_path / "p/link")
    assert roots(tmp_path) == []


def test_of_very_many_folders_none_is_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_FOLDERS", 3)
    put(tmp_path, {"p/src/sim/k.cu": '#include "Gate.h"\n', "p/a/Gate.h": "", "p/b/x.h": ""})
    assert roots(tmp_path) == []


def test_new_files_and_folders_are_seen(tmp_path: Path) -> None:
    put(tmp_path, {"p/src/sim/k.cu": '#include "Gate.h"\n'})
    store = Store()
    assert roots(tmp_path, store=store) == []
    put(tmp_path, {"p/gate/Gate.h": ""})
    os.utime(tmp_path / "p", ns=(1, 1))  # A clock may be coarse.
    assert roots(tmp_path, store=store) == ["p/gate"]
    put(tmp_path, {"p/gate/Gate.h": '#include "deep/More.h"\n', "p/include/deep/More.h": ""})
    os.utime(tmp_path / "p/gate/Gate.h", ns=(1, 1))
    os.utime(tmp_path / "p", ns=(2, 2))
    assert roots(tmp_path, store=store) == ["p/gate", "p/include"]


SPREAD = {
    "p/include/lib/k.cuh": '#include "lib/size.h"\n__global__ void k(float *a) { a[threadIdx.x * SIZE] = 0; }\n',
    "p/include/lib/size.h": "#define SIZE 8\n",
    "p/src/run.cu": "#include <lib/k.cuh>\nvoid run(float *a) { k<<<1, 96>>>(a); }\n",
}


def test_a_header_is_read_through_a_file_of_another_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, SPREAD)
    main(["check", "--no-config", "--format", "json", "--fail-on", "never", str(tmp_path / "p/include/lib/k.cuh")])
    (file,) = json.loads(capsys.readouterr().out)["files"]
    (launch,) = file["kernels"][0]["launches"]
    assert (launch["block"], launch["source"]) == ([96, 1, 1], "call")  # 32 sectors, since SIZE is read, too
    assert [access["worst"] for access in launch["accesses"]] == [32]


def test_headers_that_were_chosen_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, {**SPREAD, "p/src/run.cu": SPREAD["p/src/run.cu"] + '#include "beside.h"\n', "p/src/beside.h": ""})
    main(["explain", "--no-config", "--stage", "syntax", str(tmp_path / "p/src/run.cu")])
    told = [line.split(":")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("header ")]
    assert told == ["header lib/k.cuh", "header lib/size.h"]


def test_a_look_through_a_project_follows_headers_that_lie_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, SPREAD)
    found = scan(Folders((str(tmp_path / "p"),), ()), Settings())
    header = os.path.realpath(tmp_path / "p/include/lib/k.cuh")
    assert tops_of(header, includers_of(found.includes)) == (str(tmp_path / "p/src/run.cu"),)
    assert found.include_paths == (os.path.realpath(tmp_path / "p/include"),)


def test_what_a_build_says_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"p/src/k.cu": '#include "i.h"\n', "p/include/i.h": ""})
    path, said = str(tmp_path / "p/src/k.cu"), SettingsFile(None, Settings(include_paths=("inc",)))
    assert settings_of(path, said, None, Store()).include_roots == ()
    plain = SettingsFile(None, Settings())
    assert settings_of(path, plain, None, Store()).include_roots == (os.path.realpath(tmp_path / "p/include"),)
    monkeypatch.chdir(tmp_path / "p")
    assert settings_of("src/k.cu", plain, None, Store()).include_roots == ("include",)


def test_one_place_alone_is_believed() -> None:
    settings = Settings(include_roots=("p", "p/gate", "p/wave"))
    files = MemoryFiles({"p/gate/Gate.h": b"gate", "p/gate/Two.h": b"1", "p/wave/Two.h": b"2", "p/lib/T.h": b""})
    found = find('"Gate.h"', "p/sim/k.cu", "p/sim/k.cu", settings, files)
    assert found == ("p/gate/Gate.h", b"gate", ("p/sim/Gate.h", "p/Gate.h", "p/wave/Gate.h"), False)
    path, _, absent, _ = find('"Two.h"', "p/sim/k.cu", "p/sim/k.cu", settings, files)
    assert path is None and set(absent) == {f"p/{folder}Two.h" for folder in ("sim/", "", "gate/", "wave/")}
    assert find("<Gate.h>", "p/sim/k.cu", "p/sim/k.cu", settings, files)[0] is None
    assert find("<lib/T.h>", "p/sim/k.cu", "p/sim/k.cu", settings, files)[0] == "p/lib/T.h"
    assert find('"../Gate.h"', "p/sim/k.cu", "p/sim/k.cu", settings, files)[0] is None
