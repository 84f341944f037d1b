"""A job that is given up leaves nothing half done, wherever that happens: the next answer is that of a fresh process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from analysis_core.support.interrupts import Cancelled, Interrupts
from tests.server.cancelled import steps
from tests.server.session import ROOT

IMPORTS = (sys.executable, "-m", "tests.server.cancelled")


def run(*arguments: str) -> str:
    told = subprocess.run([*IMPORTS, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def test_a_job_given_up_at_an_import() -> None:
    """The LP solver's modules catch every exception of their own imports."""
    names = run("count").split()
    chosen = [
        names.index(name) + 1 for name in ("analysis_core.lp.matrix", "pulp", "highspy", "highspy._core", "cplex")
    ]
    shown = run("imports", *map(str, chosen))
    assert shown.count("given up") == len(chosen), shown


@pytest.mark.nightly
def test_a_job_given_up_at_every_import() -> None:
    assert run("imports").count("\n") > 150


def test_jobs_given_up_at_some_steps() -> None:
    steps(1, 6)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10, 20))
def test_jobs_given_up_at_many_steps(seed: int) -> None:
    steps(seed, 60)


def test_nothing_is_loaded_while_a_job_can_be_given_up() -> None:
    code = """
import sys
from analysis_core.support.interrupts import Interrupts
from lsp_server.analyse import make_analyst
from tests.server.cancelled import job
work, loaded = make_analyst(), []
class Seen:
    def find_spec(self, name, path=None, target=None):
        loaded.append(name)
sys.meta_path.insert(0, Seen())
work(job(32), lambda message: None, Interrupts())
print(*loaded)
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not told.stdout.split()


def test_other_peoples_code_is_left_alone() -> None:
    library: dict[str, object] = {"__name__": "library"}
    exec("def call(what):\n    try:\n        what()\n    except BaseException:\n        return 'swallowed'\n", library)
    interrupts, said = Interrupts(), []

    def work() -> None:
        with interrupts.pure():
            said.append(library["call"](interrupts.ask))  # type: ignore[operator]
            interrupts.ask()
            said.append("gone on")

    for _ in range(2):
        with pytest.raises(Cancelled):
            work()
    assert said == [None] and interrupts.asked


def test_a_block_that_has_ended_is_no_place_to_stop() -> None:
    interrupts = Interrupts()
    with interrupts.pure():
        pass
    interrupts.ask()
    assert interrupts.asked
