"""Set-up shared by the tests of editors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def home() -> Iterator[Path]:
    """A user's folder with a short name: the path of the socket that Chromium makes in it may have 107 bytes."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Path(folder)
