"""What processes open, run and send is what docs/security.md says."""

from __future__ import annotations

import re
import site
import socket
import subprocess
import sys
import sysconfig
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.security.test_hostile_folder import COMMANDS, KERNEL, serve
from tests.server.session import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text()


def patterns(section: str) -> list[str]:
    """The patterns in the table of a section of the page."""
    text = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    rows = [line.rsplit("|", 2)[1] for line in text.splitlines() if line.startswith("| ")][1:]
    return [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row)]


def packages() -> list[str]:
    """Where modules of Python, of warpcost and of what it needs lie."""
    paths = sysconfig.get_paths()
    named = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found = {
        *named,
        *site.getsitepackages(),
        sys.prefix,
        sys.base_prefix,
        str(ROOT),
        *(p for p in sys.path if p.endswith("site-packages")),
    }
    return sorted(found | {str(Path(path).resolve()) for path in found})


def is_meant(path: str, pattern: str, project: Path, named: tuple[str, ...]) -> bool:
    first, _, rest = pattern.partition("/")
    if first == "PROJECT":
        return path == str(project) or path.startswith(f"{project}/")
    if first == "PACKAGES":
        return any(fnmatch(path, f"{top}/{rest}".replace("**", "*")) for top in packages())
    if first == "ABOVE":
        known = ("warpcost.toml", "pyproject.toml", "compile_commands.json", "makefile")
        return Path(path).parent in project.parents and Path(path).name.lower() in known
    if first == "NAMED":
        return path in named
    return fnmatch(path, pattern.replace("**", "*"))


def check(record: Path, project: Path, named: tuple[str, ...] = ()) -> None:
    kinds = {"read": patterns("Read"), "write": patterns("Written")}
    wrong = []
    for line in record.read_text().splitlines():
        kind, _, what = line.partition("\t")
        if kind in kinds:
            good = any(is_meant(what, pattern, project, named) for pattern in kinds[kind])
        elif kind == "run":  # The interpreter that runs, isolated; libraries that are loaded already, by no name.
            library = re.fullmatch(r"ctypes\.dlopen \((?:None|'([^']+)'),\)", what)
            ours = library and (library[1] is None or is_meant(library[1], "PACKAGES/**", project, ()))
            good = bool(ours) or f"'{sys.executable}', ['{sys.executable}', '-I'" in what
        else:  # The pair of sockets between two processes of ours.
            good = what.startswith("socket.__new__") and what.endswith(f", {int(socket.AF_UNIX)})")
        if not good:
            wrong.append(line)
    assert not wrong, "\n".join(sorted(set(wrong)))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "part.h").write_text("#define STEP 3\n")
    for name in ("a.cu", "b.cu"):
        (folder / name).write_text('#include "part.h"\n' + KERNEL)
    (folder / "Makefile").write_text("run:\n\tnvcc -DN=3 a.cu -o a\n\t./a 100\n")
    (folder / "compile_commands.json").write_text("[]")
    (folder / "warpcost.toml").write_text('include-paths = ["."]\n')
    return folder


def watched(record: Path, what: str) -> tuple[str, ...]:
    code = f"import sys; sys.path.append({str(ROOT)!r}); from tests.security.watched import main; sys.exit(main({str(record)!r}, {what!r}, sys.argv[1:]))"
    return sys.executable, "-I", "-c", code


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line(command: str, project: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    subprocess.run([*watched(record, "command"), *command.split()], cwd=project, capture_output=True, check=False)
    check(record, project, (str(project / "page.html"),))


def test_a_worker(project: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    subprocess.run([*watched(record, "job"), str(project / "a.cu")], cwd=project, capture_output=True, check=True)
    check(record, project)


def test_the_server(project: Path, tmp_path: Path) -> None:
    serve(watched(tmp_path / "record", "server"), project)
    check(tmp_path / "record", project)


def test_what_is_not_said_is_noticed(project: Path, tmp_path: Path) -> None:
    for line in (
        "read\t/etc/hostname",
        f"write\t{project}/a.cu",
        "run\tos.system ('true',)",
        "send\tsocket.connect ()",
    ):
        record = tmp_path / "record"
        record.write_text(line + "\n")
        with pytest.raises(AssertionError, match=re.escape(line)):
            check(record, project)
