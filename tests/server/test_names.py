"""Documents and folders of any name: what names nothing that there can be on a disk is analysed all the same, and stops nobody else."""

from __future__ import annotations

import pytest

from lsp_server.documents import path_of
from tests.server.raw import raw
from tests.server.session import REAL

KERNEL = "__global__ void k(float *a) { a[8 * threadIdx.x] = 1; }\n"
NAMES = (
    "untitled:Untitled-1", "untitled:/x/../y.cu", "http://[bad/a.cu", "file://[::1/a.cu", "file:///t/\ud83d.cu", "\udfff", "",
    "file:///t/\0.cu", "file:///t/%00.cu", "file:///t/%", "file:", "file://", "file:///c%3A/x/a.cu", "file://host/share/a.cu",
    "file:///t/%ff%fe.cu", "file:///proc/self/a.cu", "git:/a/b.cu?{\"ref\":\"\"}", "vscode-notebook-cell:/x.ipynb#a", "x" * 50_000,
)  # fmt: skip


@pytest.mark.parametrize("uri", NAMES)
def test_every_name_is_one(uri: str) -> None:
    assert path_of(uri) is not None and path_of(path_of(uri)) == path_of(uri)


def test_documents_and_folders_of_any_name() -> None:
    folders = [{"uri": uri, "name": str(number)} for number, uri in enumerate(NAMES)]
    with raw(REAL) as client:
        client.hello({"workspace": {"workspaceFolders": True}}, workspaceFolders=folders[::2])
        for number, uri in enumerate(NAMES):
            since = len(client.got)
            client.open(KERNEL, uri)
            said = client.wait(
                lambda m: m.get("method") == "textDocument/publishDiagnostics" and bool(m["params"]["diagnostics"]),
                since=since,
            )
            assert [d["code"] for d in said["params"]["diagnostics"]] == ["WC101"], uri
            for command in ("exportJson", "kernelReport", "showStages"):
                arguments = [uri, "ir", None] if command == "showStages" else [uri]
                asked = {"command": f"warpcost.{command}", "arguments": arguments}
                assert "error" not in client.ask("workspace/executeCommand", asked), (uri, command)
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]})
            event = {"added": folders[number : number + 1], "removed": folders[: number // 2]}
            client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
            client.close(uri)
        client.ask("shutdown", None)
        assert b"Traceback" not in b"".join(client.log), b"".join(client.log)[-2000:]
