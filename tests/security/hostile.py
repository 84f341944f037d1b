"""A folder that somebody else has written: a module of every name that may be imported, and a program of every name that may be run.

Each leaves its name in the file `MARKER` beside them, if it is ever run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

OWN = ("analysis_core", "lsp_server")

PROGRAMS = (
    "python", "python3", "warpcost", "cc", "gcc", "g++", "clang", "nvcc", "ld", "ldconfig", "objdump", "make", "git", "sh", "uname", "file",
    "cbc", "highs", "glpsol", "scip", "lp_solve", "gurobi_cl", "cplex", "choco-parsecli", "java",
)  # fmt: skip

_ASKED = """
import sys
names = set()
sys.addaudithook(lambda event, args: names.add(args[0].partition(".")[0]) if event == "import" else None)
from analysis_core.main import main
from analysis_core.support.interrupts import Interrupts
from lsp_server.analyse import Job, make_analyst
from lsp_server.options import EditorOptions
import lsp_server.server
import lsp_server.features.kernel_report as page
work = make_analyst()
text = open(sys.argv[1], "rb").read()
work(Job(sys.argv[1], {sys.argv[1]: text}, EditorOptions()), lambda message: None, Interrupts())
for command in ("check", "report", "stats", "explain --stage all", "check --format sarif"):
    sys.stdout = open("/dev/null", "w")
    main([*command.split(), "--no-config", sys.argv[1]])
sys.stdout = sys.__stdout__
print(*sorted(names | {name.partition(".")[0] for name in sys.modules}))
"""


@cache
def names(kernel: Path) -> frozenset[str]:
    """Top-level names that are imported, or asked for in vain, and those of Python and of all that is installed beside."""
    asked = subprocess.run(
        [sys.executable, "-I", "-c", _ASKED, str(kernel)], capture_output=True, text=True, check=True
    )
    found = {*asked.stdout.split(), *sys.stdlib_module_names, *packages_distributions(), *OWN}
    more = {"sitecustomize", "usercustomize", "org", "readline", "rlcompleter", "__future__"}
    return frozenset(name for name in found | more if name.isidentifier())


@cache
def of_python_itself() -> frozenset[str]:
    """What `python -m` imports on its own, from the working folder first: nobody's code runs before that."""
    shown = subprocess.run(
        [sys.executable, "-m", "this_is_no_module"], capture_output=True, text=True, check=False, cwd="/"
    )
    assert "No module named" in shown.stderr
    code = "import runpy, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return frozenset(loaded.stdout.split())


def plant(folder: Path, modules: Iterable[str], packages: Iterable[str] = OWN) -> Path:
    """Writes the folder's modules and programs; gives the file that must stay away."""
    marker = folder / "MARKER"
    code = f"open({str(marker)!r}, 'a').write(__name__ + '\\n')\n"
    for name in modules:
        (folder / f"{name}.py").write_text(code)
    for name in packages:
        (folder / f"{name}.py").unlink(missing_ok=True)
        (folder / name).mkdir()
        for part in ("__init__", "__main__"):
            (folder / name / f"{part}.py").write_text(code)
    for name in PROGRAMS:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho {name} >> '{marker}'\nexit 1\n")
        program.chmod(0o755)
    (folder / ".env").write_text(f"PYTHONPATH={folder}\nPYTHONSTARTUP={folder}/startup.py\nLD_LIBRARY_PATH={folder}\n")
    (folder / "pyvenv.cfg").write_text(f"home = {folder}\ninclude-system-site-packages = true\n")
    (folder / "evil.pth").write_text(f"import os; open({str(marker)!r}, 'a').write('pth')\n")
    return marker
