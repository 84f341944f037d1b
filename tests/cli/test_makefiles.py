"""What a Makefile says of a file's includes and macros, and which of its lines say nothing (workspace/makefiles.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.workspace.compile_commands import Database, settings_of
from analysis_core.workspace.compiler_flags import Flags
from analysis_core.workspace.makefiles import flags_around, read_makefile, read_run, run_in_folder
from analysis_core.workspace.settings_file import SettingsFile, read_settings

_TEXT = """\
CC = nvcc    # -DCOMMENT
CFLAGS := $(EXTRA_CFLAGS) -O3 -DLANES=32 \\
          -DREAL=double -I../common -I include
ifeq ($(DEBUG),yes)
  ifdef MORE
    CFLAGS += -DMORE
  endif
  CFLAGS += -g -DDEBUG
else
  CFLAGS += -DNDEBUG
endif
CFLAGS += -DN=$(N) -DSTAMP="$(shell date)" -I$(TOP)/include -DLATE

main: main.cu
\t$(CC) $(CFLAGS) -DHERE -I../tools $< -o $@
"""


def test_what_stands_there_counts() -> None:
    found = read_makefile(_TEXT, "/p/one")
    assert found.include_paths == ("/p/common", "/p/one/include", "/p/tools")
    assert found.defines == {"LANES": "32", "REAL": "double", "LATE": "1"}


@pytest.mark.parametrize(
    "text", ["", "\\", "ifeq (a,b)\nC = -DN=1", "endif\n", "define X\nC = -DN=1\nendef", "C = -DN(a)=1 -D -I", "\0-I\n"]
)
def test_nothing_is_said(text: str) -> None:
    assert read_makefile(text, "/p").defines == {}


def test_a_macro_with_two_values_is_left_out() -> None:
    assert read_makefile("A = -DN=1 -DM=2\nB = -DN=3 -DM=2\n", "/p").defines == {"M": "2"}


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("W = 32\nC = -DW=$(W) -DV=${W}\n", {"W": "32", "V": "32"}),
        ("W = 32\nW = 64\nC = -DW=$(W)\n", {}),
        ("W = 32\nW ?= 64\nC = -DW=$(W)\n", {"W": "32"}),
        ("W ?= 64\nC = -DW=$(W)\n", {"W": "64"}),
        ("W = 32\nifdef BIG\nW = 64\nendif\nC = -DW=$(W)\n", {}),
        ("ifdef BIG\nW = 64\nendif\nW = 32\nC = -DW=$(W)\n", {}),
        ("C = -DW=$(W)\nW = $(V)\nV = 8\n", {"W": "8"}),
        ("C = -DW=$(W)\nW = $(W)\n", {}),
        ("C = -DW=$(W)\nW = $(V)$(V)\nV = $(W)$(W)\n", {}),
        ("D = -DA\nD += -DB=2\nC = -DC $(D)\n", {"A": "1", "B": "2", "C": "1"}),
        ("W = 3\nC = -DW=$$(W) -DV=$(shell echo 4) -DU=$W\n", {}),
        ("W = 3 # lanes\nC = -DW=$(W)\n", {"W": "3"}),
        ("\tW = 3\nC = -DW=$(W)\n", {}),
    ],
)
def test_variables_with_one_value_are_put_in(text: str, defines: dict[str, str]) -> None:
    assert read_makefile(text, "/p").defines == defines


def test_included_files_stand_in_their_place_and_are_read_again(tmp_path: Path) -> None:
    own = tmp_path / "one"
    own.mkdir()
    (own / "Makefile").write_text("TOP := ..\nN = 8\ninclude $(TOP)/common.mk\n-include missing.mk $(WHAT).mk\n")
    (tmp_path / "common.mk").write_text(
        "all:\n\tnvcc -I$(TOP)/tools -DN=$(N) main.cu\nF = -DM=$(N)\nrun:\n\t./main $(N)\n"
    )
    store = Store()
    assert flags_around(str(own), store) == Flags((str(tmp_path / "tools"),), {"M": "8"})
    assert run_in_folder(str(own), store) == ("8",)
    (tmp_path / "common.mk").write_text("F = -DM=123456\n")
    assert flags_around(str(own), store).defines == {"M": "123456"}
    (own / "missing.mk").write_text("F += -DK\n")
    assert flags_around(str(own), store).defines == {"M": "123456", "K": "1"}
    (own / "missing.mk").write_text("include missing.mk\nF += -DK=2\n")
    assert flags_around(str(own), store).defines == {"M": "123456", "K": "2"}


def test_the_nearest_holds_and_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("CFLAGS = -DN=1\n")
    (tmp_path / "src").mkdir()
    store = Store()
    assert flags_around(str(tmp_path / "src"), store).defines == {"N": "1"}
    (tmp_path / "Makefile").write_text("CFLAGS = -DN=22\n")
    assert flags_around(str(tmp_path / "src"), store).defines == {"N": "22"}
    (tmp_path / "src" / "Makefile").write_text("CFLAGS = -DM=1\n")
    assert flags_around(str(tmp_path / "src"), store).defines == {"M": "1"}


def test_settings_and_databases_come_first(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("CFLAGS = -DN=1 -DM=1 -Icommon\n")
    path = str(tmp_path / "k.cu")
    plain = settings_of(path, SettingsFile(None, Settings()), None, Store())
    assert (plain.include_paths, plain.defines) == ((str(tmp_path / "common"),), {"N": "1", "M": "1"})
    said = SettingsFile(None, Settings(defines={"N": "2"}))
    assert settings_of(path, said, None, Store()).defines == {"N": "2", "M": "1"}
    chosen = SettingsFile(None, Settings(include_paths=("/mine",)))
    assert settings_of(path, chosen, None, Store()).include_paths == ("/mine",)
    built = Database(str(tmp_path / "compile_commands.json"), {path: Flags()})
    assert settings_of(path, SettingsFile(None, Settings()), built, Store()).defines == {}


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ("run: main\n\t$(LAUNCHER) ./$(program) 30 -r 10000\n", ("30", "-r", "10000")),
        ("run:\n\t@./main 30 > out.txt 2>&1\n", ("30",)),
        ("run:\n\tcd data && ./main 'a b' && ls\n", ("a b",)),
        ("test:\n\t./main 4\n", ("4",)),
        ("test:\n\t./main 4\nrun: main\n\t./main 5\n", ("5",)),
        ("run:\n\t./main 1 2\n\t./main 3\n", ("1", "2")),
        ("run:\n\t./main\n", ()),
        ("run:\n\t./one 1\n\t./two 1\n", None),
        ("run:\n\t./main $(N)\n", None),
        ("run:\n\tpython run.py 5\n", None),
        ("run: main\n\nall:\n\t./main 5\n", None),
        ("run := ./main 5\n\t./main 5\n", None),
        ("ifeq (a,b)\nrun:\n\t./main 5\nendif\n", None),
        ("run:\n\t./main 'open\n", None),
    ],
)
def test_what_the_program_is_run_with(recipe: str, words: tuple[str, ...] | None) -> None:
    assert read_run(f"CC = nvcc\nmain: main.cu\n\t./make_header 7\n{recipe}clean:\n\t./clean 8\n") == words


def test_settings_say_first_what_the_program_is_run_with(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("run:\n\t./main 5\n")
    path, toml = str(tmp_path / "k.cu"), str(tmp_path / "warpcost.toml")
    own = Settings(include_paths=("/mine",))
    assert settings_of(path, SettingsFile(None, own), None, Store()).run_arguments == ("5",)
    said = read_settings(toml, b'run-arguments = [7, "-n", 0.5]\n', own)
    assert settings_of(path, said, None, Store()).run_arguments == ("7", "-n", "0.5")
    unknown = read_settings(toml, b"run-arguments = false\n", own)
    assert settings_of(path, unknown, None, Store()).run_arguments is None
    assert [bad.message for bad in read_settings(toml, b"run-arguments = [true]\n", own).findings] != []
