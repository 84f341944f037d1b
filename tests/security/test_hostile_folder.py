"""Nothing of the folder that one stands in is run, by whatever entry point, in whatever process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.hostile import names, of_python_itself, plant
from tests.server.raw import raw
from tests.server.session import ROOT

# Rounds that no expression gives: the LP solver is asked too.
KERNEL = """
__global__ void hops(float *a, const int *s, int n) {
    __shared__ float t[32][32];
    for (int i = threadIdx.x; i < n; i += 1 + (i & 1)) a[32 * i] = t[threadIdx.x][s[i] & 3];
}
__global__ void wide(float *a, const float *b) { a[32 * threadIdx.x] = b[threadIdx.x]; }
void run(float *a, float *b, int *s, int n) { hops<<<n, 32>>>(a, s, n); wide<<<n, 256>>>(a, b); }
"""

COMMANDS = (
    "check --jobs 2 --format json a.cu b.cu",
    "check .",
    "stats --jobs 2 --format markdown a.cu b.cu",
    "report a.cu -o page.html",
    "explain --stage all a.cu",
    "simulate a.cu --arg n=4 --arg a=4096 --arg s=64 --kernel hops",
    "rule WC101",
    "--version",
)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kernel") / "a.cu"
    path.write_text(KERNEL)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(KERNEL)
    (tmp_path / "b.cu").write_text(KERNEL[KERNEL.index("__global__ void wide") : KERNEL.index("void run")])
    return tmp_path


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The program that an installation puts on PATH."""
    path = tmp_path_factory.mktemp("bin") / "warpcost"
    path.write_text("import sys\nfrom analysis_core.main import main\nsys.exit(main())\n")
    return sys.executable, str(path)


def environment(folder: Path) -> dict[str, str]:
    """Programs are looked for in the working folder too, as on Windows."""
    return {**os.environ, "PATH": f".:{os.environ['PATH']}", "PWD": str(folder)}


def test_the_folder_would_be_noticed(folder: Path) -> None:
    marker = plant(folder, ["signal", "argparse"])
    subprocess.run([sys.executable, "-c", "import signal, subprocess; subprocess.run('git')"], cwd=folder, env=environment(folder), check=False)  # fmt: skip
    assert marker.read_text().split() == ["signal", "git"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line(command: str, folder: Path, kernel: Path, script: tuple[str, ...]) -> None:
    def output(where: Path) -> tuple[int, str, str]:
        told = subprocess.run(
            [*script, *command.split()], cwd=where, env=environment(where), capture_output=True, text=True, check=False
        )
        shown = "" if command.startswith("stats") else told.stdout  # which holds times
        return told.returncode, shown, told.stderr

    clean = output(folder)
    marker = plant(folder, names(kernel))
    assert output(folder) == clean and "Traceback" not in clean[2]
    assert not marker.exists()


def serve(command: tuple[str, ...], folder: Path) -> None:
    """A session that asks for all that a server can do."""
    with raw(command, environment(folder), folder=folder) as client:
        client.hello(rootUri=folder.as_uri(), workspaceFolders=[{"uri": folder.as_uri(), "name": "it"}])
        uri = client.open(KERNEL, (folder / "a.cu").as_uri())
        client.published(uri, bool)
        here = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 18}}
        area = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        assert client.ask("textDocument/hover", here)["result"]
        there = {"textDocument": {"uri": uri}, "range": area, "context": {"diagnostics": []}}
        for method in ("codeAction", "inlayHint", "codeLens"):
            assert "result" in client.ask(f"textDocument/{method}", there)
        for name, more in (("kernelReport", []), ("exportJson", []), ("showStages", ["lp"])):
            arguments = {"command": f"warpcost.{name}", "arguments": [uri, *more]}
            assert client.ask("workspace/executeCommand", arguments)["result"]
        client.ask("workspace/executeCommand", {"command": "warpcost.restart", "arguments": []})
        since = len(client.got)
        client.change(uri, 2, KERNEL.replace("32 * i", "16 * i"))
        client.published(uri, bool, since=since)
        client.ask("shutdown", None)
        client.notify("exit", None)
        client.stdin.close()
        assert client.server.wait(20) == 0


@pytest.mark.parametrize("way", ["script", "-I", "-P"])
def test_the_server(way: str, folder: Path, kernel: Path, script: tuple[str, ...]) -> None:
    """As editors start it: the script on PATH, and the module of an interpreter."""
    marker = plant(folder, names(kernel))
    serve((*script, "lsp") if way == "script" else (sys.executable, way, "-m", "lsp_server", "--stdio"), folder)
    assert not marker.exists()


@pytest.mark.parametrize("module", ["lsp_server", "analysis_core"])
def test_a_module_of_an_interpreter_that_is_not_isolated(module: str, folder: Path, kernel: Path) -> None:
    """`python -m NAME` looks in the working folder first, for NAME and for what it needs itself; from there on nothing is."""
    others = [name for name in ("lsp_server", "analysis_core") if name != module]
    marker = plant(folder, names(kernel) - of_python_itself() - {module}, others)
    if module == "lsp_server":
        serve((sys.executable, "-m", module, "--stdio"), folder)
    else:
        command = [sys.executable, "-m", module, "check", "--jobs", "2", "a.cu", "b.cu"]
        told = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)
        assert told.returncode == 1 and not told.stderr
    assert not marker.exists()


def test_a_checkout_is_its_own_working_folder() -> None:
    """Without an installation too."""
    bare = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))}
    for command in (["-S", "-m", "lsp_server", "--version"], ["-S", "-m", "analysis_core", "rule", "WC101"]):
        told = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=bare, capture_output=True, text=True, check=False
        )
        assert told.returncode == 0 and told.stdout, told.stderr
