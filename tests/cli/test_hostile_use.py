"""A hostile shell: closed and full streams, Ctrl-C at the worst moment, settings and baselines of odd kinds."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import sleep

import pytest

from analysis_core.cli.processes import _without_interrupts
from analysis_core.main import main
from analysis_core.support.settings import Settings
from analysis_core.workspace.settings_file import find_settings, read_settings
from tests.harness import copied

ROOT = Path(__file__).parents[2]

KERNEL = "__global__ void k(float *a, const float *b) { a[threadIdx.x] = b[8 * threadIdx.x]; }\n"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.cu"
    path.write_text(KERNEL)
    return str(path)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_solver_prints_nothing_into_a_report(jobs: str, tmp_path: Path) -> None:
    """HiGHS 1.16 writes its version to the descriptor, where no object of Python sees it."""
    loop = "__global__ void k(float *a, int n) { for (int i = 0; i < n; i += 1 + (i & 1)) a[32 * i] = 1; }\n"
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text(loop)
    words = ["check", "--no-config", "--format", "json", "--jobs", jobs, "."]
    run = copied.done("analysis_core", *words, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, b"")
    kernels = [kernel for file in json.loads(run.stdout)["files"] for kernel in file["kernels"]]
    bounds = [launch["bounds"]["sectors"]["per_warp"] for kernel in kernels for launch in kernel["launches"]]
    assert len(bounds) == 2 and all(bound["upper"] is not None for bound in bounds)


@pytest.mark.parametrize("closed", [("stdout",), ("stderr",), ("stdout", "stderr")])
def test_closed_output_changes_no_status(
    closed: tuple[str, ...], file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in closed:
        monkeypatch.setattr(sys, name, None)
    assert main(["check", "--no-config", "--fail-on", "information", file]) == 1
    for name in closed:
        monkeypatch.setattr(sys, name, None)
    assert main(["check", "--no-config", str(tmp_path / "none.cu")]) == 2


def test_closed_input_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["check", "--no-config", "-"]) == 2
    assert capsys.readouterr().err == "warpcost: standard input is closed\n"


class Full(io.StringIO):
    """A file on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(28, os.strerror(28))

    def fileno(self) -> int:
        return os.open(os.devnull, os.O_WRONLY)


@pytest.mark.parametrize("arguments", [["--version"], ["rule", "WC101"], ["check", "--no-config", "FILE"]])
def test_a_full_disk_is_one_line(
    arguments: list[str], file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    assert main([file if part == "FILE" else part for part in arguments]) == 2
    assert capsys.readouterr().err == f"warpcost: {os.strerror(28)}\n"


@pytest.mark.parametrize("number", ["-1", "two", "", "1025", "9" * 5000, "٣"])
def test_numbers_of_processes(number: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", f"--jobs={number}", file])
    assert ended.value.code == 2
    assert "is not a number of processes" in capsys.readouterr().err


def test_names_without_characters_are_quoted(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-config", ""]) == 2
    assert "cannot read '': no such file" in capsys.readouterr().err
    assert main(["check", "--no-config", "--update-baseline", "--baseline", "", file]) == 2
    assert "there is no baseline ''" in capsys.readouterr().err


def test_kernels_in_plain_headers_are_found_in_directories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.cu").write_text('#include "kernel.h"\nvoid run(float *a, float *b) { k<<<1, 256>>>(a, b); }\n')
    (tmp_path / "kernel.h").write_text(KERNEL)
    (tmp_path / "plain.h").write_text("int __global__like(int n);\n")
    assert main(["check", "--no-config", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert out.count("WC101") == 1 and f"{tmp_path}/kernel.h:1:" in out
    assert out.splitlines()[-1] == "1 warning in 1 kernel of 2 files"


# --- settings and baselines ---------------------------------------------------------------------------------------


def test_a_number_of_thousands_of_digits_is_a_finding() -> None:
    found = read_settings("warpcost.toml", b"representative-size = " + b"9" * 5000, Settings())
    (finding,) = found.findings
    assert "not TOML" in finding.message and found.settings == Settings()


def test_a_byte_order_mark_moves_no_place() -> None:
    found = read_settings("warpcost.toml", b"\xef\xbb\xbfblock = 64\nnonsense = 1\n", Settings())
    assert found.settings.block == (64, 1, 1)
    (finding,) = found.findings
    assert finding.span.start == len(b"\xef\xbb\xbfblock = 64\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_with_the_name_of_the_settings_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "warpcost.toml")
    assert find_settings(str(tmp_path), Settings()).path != str(tmp_path / "warpcost.toml")


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
def test_a_baseline_behind_a_link_is_written_there(tmp_path: Path, file: str) -> None:
    link, there = tmp_path / "known.json", tmp_path / "elsewhere.json"
    link.symlink_to(there)
    update = ["check", "--no-config", "--baseline", str(link), "--update-baseline", file]
    for _ in range(2):  # the first time it leads nowhere
        assert main(update) == 0
        assert link.is_symlink() and there.is_file()
    there.write_bytes(b"\xef\xbb\xbf" + there.read_bytes())
    assert main(["check", "--no-config", "--fail-on", "information", "--baseline", str(link), file]) == 0


# --- Ctrl-C -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
@pytest.mark.parametrize("module", ["options", "check"])
def test_an_interrupt_while_modules_are_imported(module: str, file: str, tmp_path: Path) -> None:
    """Imports take the first half second, in which impatient people press Ctrl-C."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'analysis_core.cli.{module}':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Press())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "analysis_core", "check", "--no-config", file],
        capture_output=True, env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, b"warpcost: interrupted\n")


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signal masks")
def test_workers_are_started_deaf_to_interrupts() -> None:
    """What is started inside inherits the mask; the parent hears of it right afterwards."""
    show = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    heard: list[str] = []

    def start() -> None:
        with _without_interrupts():
            child = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, timeout=60)
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # not to a thread that a library started
            sleep(0.01)
            heard.append(child.stdout)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == ["True\n"]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
