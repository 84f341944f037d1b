"""What a Makefile says of a file's includes and macros, and which of its lines say nothing (cli/makefiles.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis_core.cli.compile_commands import Database, Databases, settings_of
from analysis_core.cli.compiler_flags import Flags
from analysis_core.cli.makefiles import Makefiles, read_makefile
from analysis_core.cli.settings_file import SettingsFile
from analysis_core.support.settings import Settings

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


def test_the_nearest_holds_and_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("CFLAGS = -DN=1\n")
    (tmp_path / "src").mkdir()
    makefiles = Makefiles()
    assert makefiles.around(str(tmp_path / "src")).defines == {"N": "1"}
    (tmp_path / "Makefile").write_text("CFLAGS = -DN=22\n")
    assert makefiles.around(str(tmp_path / "src")).defines == {"N": "22"}
    (tmp_path / "src" / "Makefile").write_text("CFLAGS = -DM=1\n")
    assert makefiles.around(str(tmp_path / "src")).defines == {"M": "1"}


def test_settings_and_databases_come_first(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("CFLAGS = -DN=1 -DM=1 -Icommon\n")
    path = str(tmp_path / "k.cu")
    plain = settings_of(path, SettingsFile(None, Settings()), None, Databases())
    assert (plain.include_paths, plain.defines) == ((str(tmp_path / "common"),), {"N": "1", "M": "1"})
    said = SettingsFile(None, Settings(defines={"N": "2"}))
    assert settings_of(path, said, None, Databases()).defines == {"N": "2", "M": "1"}
    chosen = SettingsFile(None, Settings(include_paths=("/mine",)))
    assert settings_of(path, chosen, None, Databases()).include_paths == ("/mine",)
    built = Database(str(tmp_path / "compile_commands.json"), {path: Flags()})
    assert settings_of(path, SettingsFile(None, Settings()), built, Databases()).defines == {}
