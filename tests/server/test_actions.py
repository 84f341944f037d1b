"""Code actions as clients of different abilities get them, and the pages that codes lead to."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.server.raw import Raw, raw
from tests.server.session import REAL

TILE = """__global__ void transpose(float *a) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *a) { transpose<<<1, dim3(32, 32)>>>(a); }
"""
ABLE = {
    "textDocument": {
        "codeAction": {
            "disabledSupport": True,
            "dataSupport": True,
            "isPreferredSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        }
    }
}


def offered(client: Raw, uri: str, line: int, character: int = 25) -> list[dict[str, Any]]:
    place = {"line": line, "character": character}
    params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    found: list[dict[str, Any]] = client.ask("textDocument/codeAction", params)["result"]
    return found


def test_an_able_client_resolves_edits_and_sees_what_cannot_be_done() -> None:
    with raw(REAL) as client:
        client.hello(ABLE)
        uri = client.open(TILE)
        (bank,) = [d for d in client.published(uri) if d["code"] == "WC201"]
        page = Path(unquote(urlsplit(bank["codeDescription"]["href"]).path))
        assert page.name == "WC201.md" and page.is_file()
        pad, *others = offered(client, uri, 4)
        assert pad["title"].startswith("Pad 'tile' to [32][33]") and pad["isPreferred"] is True and "edit" not in pad
        assert others and not any(action.get("isPreferred") for action in others)
        resolved = client.ask("codeAction/resolve", pad)["result"]
        (change,) = resolved["edit"]["documentChanges"][0]["edits"]
        line, (start, end) = TILE.splitlines()[1], (change["range"][end]["character"] for end in ("start", "end"))
        assert line[:start] + change["newText"] + line[end:] == "    __shared__ float tile[32][33];"
        # An action of an older text, or nobody's, stays without an edit.
        for wrong in ({**pad, "data": {**pad["data"], "revision": 0}}, {**pad, "data": None}, {**pad, "title": "x"}):
            assert "edit" not in client.ask("codeAction/resolve", wrong)["result"]
        # The tile is passed on by its address: its rows may not grow.
        mark = len(client.got)
        client.change(
            uri,
            2,
            TILE.replace("    __syncthreads();", "    use(&tile[0][0]); __syncthreads();").replace(
                "__global__", "__device__ void use(float *p) { p[33] = 0; }\n__global__", 1
            ),
        )
        client.published(uri, lambda found: "WC201" in [d["code"] for d in found], mark)
        (refused,) = [action for action in offered(client, uri, 5) if "disabled" in action]
        assert refused["title"] == "Pad 'tile'" and refused["disabled"]["reason"] and "edit" not in refused
        assert "edit" not in client.ask("codeAction/resolve", refused)["result"]


def test_a_plain_client_gets_edits_at_once_and_nothing_disabled() -> None:
    with raw(REAL) as client:
        client.hello()
        uri = client.open(TILE)
        client.published(uri, bool)
        found = offered(client, uri, 4)
        assert found[0]["title"].startswith("Pad") and all("edit" in action for action in found)
        assert not any("disabled" in action or "data" in action for action in found)


RACY = """__global__ void k(float *a) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float *a) { k<<<1, 256>>>(a); }
"""


def test_a_barrier_is_offered_at_a_race() -> None:
    with raw(REAL) as client:
        client.hello()
        uri = client.open(RACY)
        client.published(uri, lambda found: "WC401" in [d["code"] for d in found])
        first = offered(client, uri, 2, 6)[0]
        assert first["title"].startswith("Insert '__syncthreads()' in line 4: no data race on 's' left")
        (change,) = first["edit"]["documentChanges"][0]["edits"]
        assert change["newText"] == "    __syncthreads();\n" and change["range"]["start"] == {"line": 3, "character": 0}
