"""Files that are none, lead elsewhere, or name what there cannot be: nothing is waited for, nothing fails, and the others have their answer."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from analysis_core.main import main
from analysis_core.support.store import Store
from analysis_core.workspace.disk import DiskFiles, read_file
from analysis_core.workspace.makefiles import flags_around

KERNEL = "__global__ void k(float *a) { a[8 * threadIdx.x] = 1; }\nvoid run(float *a) { k<<<4, 256>>>(a); }\n"


def codes(capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    return {
        Path(file["path"]).name: [f["code"] for kernel in file["kernels"] for f in kernel["findings"]]
        for file in json.loads(capsys.readouterr().out)["files"]
    }


def test_a_search_passes_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("pipe.cu", "pipe.h", "Makefile", ".gitignore", "compile_commands.json", "warpcost.toml"):
        os.mkfifo(tmp_path / name)
    for name, target in (("loop.cu", "loop.cu"), ("zero.cu", "/dev/zero"), ("self", "."), ("up", "..")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "folder.cu").mkdir()
    (tmp_path / "folder.h").mkdir()
    included = ("pipe.h", "folder.h", ".", "..", "", "/", "loop.cu", "zero.cu", "a\0b", "x" * 5_000)
    (tmp_path / "a.cu").write_text("".join(f'#include "{name}"\n' for name in included) + KERNEL)
    assert main(["check", "--format", "json", str(tmp_path)]) == 2
    assert codes(capsys) == {"a.cu": ["WC101"]}


@pytest.mark.parametrize(
    "database",
    [
        [{"directory": "", "file": "a.cu", "arguments": ["nvcc", "-I", "\0", "-I\0x", "-isystem", "a\0b", "@\0", "-D"]}],
        [{"directory": "\0", "file": "a.cu", "command": "nvcc -Ix -DA"}],
        [{"directory": "/none", "file": "\0", "command": '"'}, 5, None, [], {"file": 5}, {"file": "a.cu", "arguments": {}}],
        [{"directory": 5, "file": "x" * 100_000, "command": "nvcc -I" + "y" * 100_000}],
        [{"directory": ".", "file": "a.cu", "command": "nvcc @loop.rsp @pipe.rsp @none.rsp @. -I'"}],
        [{"directory": "\ud800", "file": "\udfff.cu", "command": "nvcc -I\ud800"}],
    ],
)  # fmt: skip
def test_a_database_of_names_that_are_none(
    database: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.rsp")
    (tmp_path / "loop.rsp").write_text("@loop.rsp @loop.rsp")
    (tmp_path / "compile_commands.json").write_text(json.dumps(database))
    (tmp_path / "a.cu").write_text('#include "a.h"\n' + KERNEL)
    assert main(["check", "--format", "json", str(tmp_path / "a.cu")]) == 1
    assert codes(capsys) == {"a.cu": ["WC101"]}


@pytest.mark.parametrize("name", ["warpcost.toml", "pyproject.toml"])
def test_settings_that_lead_out_of_the_project_are_not_quoted(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secrets").write_text("tool.warpcost secret1 = 'secret2\nsecret3 = secret4\n")
    (tmp_path / "p" / ".git").mkdir(parents=True)
    (tmp_path / "p" / "a.cu").write_text(KERNEL)
    (tmp_path / "p" / name).symlink_to(tmp_path / "secrets")
    for form in ("text", "json", "sarif", "github"):
        main(["check", "--format", form, str(tmp_path / "p")])
        said = capsys.readouterr()
        assert "secret1" not in said.out + said.err and "WC101" in said.out
        assert "leads out of the project" in said.out or form == "json"
    (tmp_path / "p" / name).unlink()
    (tmp_path / "p" / name).symlink_to("shared.toml")
    (tmp_path / "p" / "shared.toml").write_text('[tool.warpcost]\nexclude = ["a.cu"]\n'[16 * (name[0] == "w") :])
    main(["check", str(tmp_path / "p")])
    assert "WC101" not in capsys.readouterr().out


def test_a_makefile_that_leads_out_of_the_project_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("CFLAGS := -DSECRET=1\n")
    (tmp_path / "p" / ".git").mkdir(parents=True)
    (tmp_path / "p" / "Makefile").symlink_to(tmp_path / "other")
    assert flags_around(str(tmp_path / "p"), Store()).defines == {}
    (tmp_path / "p" / "Makefile").unlink()
    (tmp_path / "p" / "Makefile").write_text("CFLAGS := -DOWN=1\n")
    assert flags_around(str(tmp_path / "p"), Store()).defines == {"OWN": "1"}


def test_nobody_waits_for_what_comes_in_place_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe takes the file's place between the look at it and the reading."""
    os.mkfifo(tmp_path / "a.h")
    monkeypatch.setattr(os.path, "isfile", lambda path: True)
    found: list[bytes | None] = [b"?"]
    reading = threading.Thread(target=lambda: found.append(read_file(str(tmp_path / "a.h"), 100)), daemon=True)
    reading.start()
    reading.join(20)
    assert found == [b"?", None]
    assert read_file("/dev/zero", 100) is None and read_file("/proc/self/environ", 1) is None


def test_a_file_that_grows_while_it_is_read_is_within_its_limit(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_bytes(b"x" * 100)
    assert read_file(str(tmp_path / "a.h"), 100) == b"x" * 100
    assert read_file(str(tmp_path / "a.h"), 99) is None and DiskFiles().read("\0") is None
