"""Messages say their problem first, in the words of docs/voice.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.support.settings import Settings
from analysis_core.workspace.disk import DiskFiles

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "tests/kernels/rules").glob("*.cu")), *sorted((ROOT / "examples").glob("*.cu"))]
AVOIDED = re.compile(
    r"\b(alike|follows|told|executed|rounds?|by data|leave apart|asked here|since line|lanes may leave|1 more accesses|1 sectors|1 wavefronts|1 iterations)\b"
    r"|\d\.0x|;|\.\.\.|\b\w+ at \w+ = \d"
)
OPENING = {
    "WC101": r"Uncoalesced (load|store|atomic|update)",
    "WC102": r"Misaligned (load|store|atomic|update)",
    "WC201": r"Bank conflict (reading|writing|updating) `",
    "WC301": "Divergent branch: the warp (may split|splits)",
    "WC302": "Divergent loop: threads of a warp (may )?exit",
}


def _report(path: Path) -> FileReport:
    return analyse_file(str(path), DiskFiles(), Settings())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_messages_use_the_words_of_the_list(path: Path) -> None:
    for finding in _report(path).findings:
        if finding.check not in OPENING:
            continue
        assert re.match(OPENING[finding.check], finding.message), finding.message
        for text in (finding.message, *(note.message for note in finding.notes)):
            plain = re.sub(r"`[^`]*`", "", text)
            assert AVOIDED.search(plain) is None, text
        assert finding.message.endswith((".", ".."))


def test_each_rule_with_a_share_is_among_them() -> None:
    found = {finding.check for path in FILES for finding in _report(path).findings}
    assert found >= OPENING.keys()
