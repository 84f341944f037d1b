"""A file with more launches than are read: what is said of it is the same after an edit as from scratch, of every kernel."""

from __future__ import annotations

import pytest

from analysis_core.program import launches
from analysis_core.support.fuel import UNITS_PER_SECOND
from analysis_core.support.settings import Settings
from tests.incremental.test_host import SHORT, Editor

NAMES = "abcd"
TEXT = "".join(
    f"__global__ void {name}(float *p) {{ p[threadIdx.x * 8 + {n}] = 1; }}\n"
    f"void run_{name}(float *p) {{ {name}<<<4, 32>>>(p); {name}<<<4, 64>>>(p + {n}); }}\n"
    for n, name in enumerate(NAMES)
)
UNREAD = "the launches of this file are not read to the end"
EDITS = (
    ("* 8 + 0", "* 4 + 0"),  # in a kernel
    ("* 8 + 3", "* 4 + 3"),
    ("a<<<4, 32>>>(p);", "a<<<4, 32>>>(p); a<<<4, 96>>>(p);"),  # one launch more
    ("b<<<4, 32>>>(p); b<<<4, 64>>>(p + 1);", ""),  # two less
    ("c<<<4, 32>>>(p); c<<<4, 64>>>(p + 2);", ""),
    ("d<<<4, 32>>>(p); d<<<4, 64>>>(p + 3);", "d<<<4, 64>>>(p);"),
)


def unread_of(editor: Editor) -> set[bool]:
    """Whether kernels rest on that not all launches are read."""
    return {
        any(UNREAD in one.text for one in launch.facts.assumptions)
        for entry in editor.result.entries
        for launch in entry.report.value().launches  # type: ignore[attr-defined]
    }


@pytest.mark.parametrize("most", range(1, 11))
def test_edits_at_the_limit(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    units = round(max(SHORT.kernel_seconds, Settings().kernel_seconds) * UNITS_PER_SECOND)
    monkeypatch.setattr(launches, "LAUNCHES", (most * launches.LAUNCH + 90) / units)
    editor = Editor(TEXT, SHORT)
    assert unread_of(editor) == {most < 8}
    for old, new in EDITS:
        editor.replaced(old, new)  # compares with an analysis from scratch
        assert len(unread_of(editor)) == 1
    assert most < 4 or unread_of(editor) == {False}
