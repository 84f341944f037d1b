"""Set-up shared by all tests: reproducible Hypothesis runs where CI asks for them."""

from __future__ import annotations

import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

from analysis_core.workspace.memory import Leftovers, collect_rarely

# A shared two-core machine is slow at times: slowness is measured in tests/bench, not guessed at here.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("nightly", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))

_LEFTOVERS: list[Leftovers] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` rewrites the expectations in the fixtures; `tests/harness/update.py` says which parts."""
    parser.addoption("--update", action="store_true", help="rewrite messages and numbers in tests/kernels/**/*.cu")


def pytest_configure(config: pytest.Config) -> None:
    """The compilers are independent witnesses: without them the tests would pass by asking nobody."""
    missing = [tool for tool in ("gcc", "g++") if shutil.which(tool) is None]
    if missing:
        raise pytest.UsageError(f"the tests need {' and '.join(missing)}: install the package g++")


def pytest_collection_finish() -> None:
    """Cycles are searched for as the command line does: by default that takes a sixth of the time, and more beside thousands of tests."""
    collect_rarely(file_after_file=True)
    _LEFTOVERS.append(Leftovers())


def pytest_runtest_teardown() -> None:
    """What a test has left behind goes once it is much."""
    _LEFTOVERS[0].freed()
