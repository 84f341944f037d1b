"""The server's answer is that of the command line (`tests/cli/test_one_answer.py`): pushed and pulled, under every spelling of a URI."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_one_answer import EXPECTED, PROGRAM
from tests.server.raw import Raw, raw
from tests.server.session import REAL

LEVELS = {1: "error", 2: "warning", 3: "information", 4: "hint"}
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def said(found: list[dict[str, Any]]) -> list[str]:
    """Diagnostics as `answer.txt` has them."""
    return [
        f"rows.cu {d['range']['start']['line'] + 1} {d['code']} {LEVELS[d['severity']]} {d['message']}" for d in found
    ]


def spellings(top: Path, linked: Path) -> list[str]:
    """URIs of one file."""
    plain = (top / "rows.cu").as_uri()
    return [plain, plain.replace("/rows", "/./rows"), plain.replace("rows", "%72ows"), (linked / "rows.cu").as_uri()]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("pulls", [False, True])
def test_every_spelling_has_one_answer(number: int, pulls: bool, tmp_path: Path) -> None:
    top, linked = tmp_path / "program", tmp_path / "linked"
    shutil.copytree(PROGRAM, top)
    linked.symlink_to(top)
    uri = spellings(top, linked)[number]
    with raw(REAL) as client:
        folder = linked if number == 3 else top
        folders = [{"uri": folder.as_uri(), "name": "program"}]
        client.hello(PULLS if pulls else {}, workspaceFolders=folders)
        client.open((top / "rows.cu").read_text(), uri)
        if not pulls:
            client.published(uri, lambda found: said(found) == EXPECTED[1])
        else:
            pulled(client, uri)


def pulled(client: Raw, uri: str) -> None:
    """Asks until the look through the workspace has found the launch, as a client does that is told to refresh."""
    count = 0
    while True:
        report = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]
        if said(report["items"]) == EXPECTED[1]:
            return
        count += 1
        client.reply("workspace/diagnostic/refresh", None, count)
