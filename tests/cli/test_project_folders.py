"""Quoted includes that are in one folder of the project alone, where no build says where includes are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.lex.includes import find
from analysis_core.workspace.compile_commands import settings_of
from analysis_core.workspace.project_folders import folders_around
from analysis_core.workspace.settings_file import SettingsFile


def made(top: Path, *paths: str) -> None:
    for path in paths:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text("")


def around(top: Path, folder: str) -> list[str]:
    return [os.path.relpath(found, top) for found in folders_around(str(top / folder), Store())]


def test_a_project_is_what_is_built_by_itself(tmp_path: Path) -> None:
    made(
        tmp_path, "p/Makefile", "p/src/sim/k.cu", "p/src/gate/g.h", "p/include/i.h", "p/build/x.h", "p/.git/y", "q/z.h"
    )
    assert around(tmp_path, "p/src/sim") == ["p", "p/include", "p/src", "p/src/gate", "p/src/sim"]


def test_without_a_mark_it_is_small(tmp_path: Path) -> None:
    made(tmp_path, "a/b/c/d/p/src/k.cu", "a/b/c/d/p/include/i.h", "a/b/c/d/p/other/deep/x.h")
    assert around(tmp_path, "a/b/c/d/p/other") == ["a/b/c/d/p/other", "a/b/c/d/p/other/deep"]
    assert around(tmp_path, "a/b/c/d/p/src")[:2] == ["a/b/c/d/p", "a/b/c/d/p/include"]


def test_of_many_folders_none_is_guessed(tmp_path: Path) -> None:
    made(tmp_path, "Makefile", *(f"part{n}/x.h" for n in range(40)))
    assert around(tmp_path, "part3") == []


def test_new_folders_are_seen(tmp_path: Path) -> None:
    made(tmp_path, "Makefile", "src/k.cu")
    store = Store()
    assert len(folders_around(str(tmp_path / "src"), store)) == 2
    made(tmp_path, "gate/g.h")
    os.utime(tmp_path, ns=(1, 1))  # A clock may be coarse.
    assert len(folders_around(str(tmp_path / "src"), store)) == 3


def test_what_a_build_says_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, "Makefile", "src/k.cu", "include/i.h")
    path, said = str(tmp_path / "src/k.cu"), SettingsFile(None, Settings(include_paths=("inc",)))
    assert settings_of(path, said, None, Store()).project_folders == ()
    plain = SettingsFile(None, Settings())
    assert str(tmp_path / "include") in settings_of(path, plain, None, Store()).project_folders
    monkeypatch.chdir(tmp_path)
    assert settings_of("src/k.cu", plain, None, Store()).project_folders == (".", "include", "src")


def test_one_place_alone_is_believed() -> None:
    settings = Settings(project_folders=("p", "p/gate", "p/wave"))
    files = MemoryFiles({"p/gate/Gate.h": b"gate", "p/gate/Two.h": b"1", "p/wave/Two.h": b"2"})
    found = find('"Gate.h"', "p/sim/k.cu", "p/sim/k.cu", settings, files)
    assert found == ("p/gate/Gate.h", b"gate", ("p/sim/Gate.h", "p/Gate.h", "p/wave/Gate.h"), False)
    path, _, absent, _ = find('"Two.h"', "p/sim/k.cu", "p/sim/k.cu", settings, files)
    assert path is None and set(absent) == {f"p/{folder}Two.h" for folder in ("sim/", "", "gate/", "wave/")}
    assert find("<Gate.h>", "p/sim/k.cu", "p/sim/k.cu", settings, files)[0] is None
    assert find('"../Gate.h"', "p/sim/k.cu", "p/sim/k.cu", settings, files)[0] is None
