"""Code actions as clients of different abilities get them, and the pages that codes lead to."""

from __future__ import annotations

import json
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


COMMANDS = {"commands": {"commands": ["warpcost.showRule", "warpcost.openWhy", 3]}}
MAKES = {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}


def titled(found: list[dict[str, Any]], start: str) -> dict[str, Any]:
    (action,) = [action for action in found if action["title"].startswith(start)]
    return action


def after(text: str, action: dict[str, Any]) -> str:
    """The text of the last document that an action edits, afterwards."""
    (change,) = action["edit"]["documentChanges"][-1]["edits"]
    lines = text.splitlines(keepends=True) + [""]
    start, end = (
        sum(map(len, lines[: change["range"][e]["line"]])) + change["range"][e]["character"] for e in ("start", "end")
    )
    return text[:start] + change["newText"] + text[end:]


def test_a_rule_is_silenced_in_the_file_and_the_project(tmp_path: Path) -> None:
    settings, project = tmp_path / "warpcost.toml", "Silence WC201 in this project"
    (tmp_path / "inner").mkdir()
    folder = tmp_path.as_uri()
    with raw(REAL) as client:
        client.hello({**ABLE, "workspace": MAKES}, workspaceFolders=[{"uri": folder, "name": "x"}])
        uri = client.open(TILE, f"{folder}/inner/a.cu")
        client.published(uri, bool)
        found = offered(client, uri, 4)
        titles = [action["title"] for action in found]
        assert titles[-3:] == ["Silence WC201 on this line", "Silence WC201 in this file", f"{project} (warpcost.toml)"]
        assert all("command" not in action for action in found)
        in_file = client.ask("codeAction/resolve", found[-2])["result"]
        assert after(TILE, in_file) == "// warpcost: ignore-file[WC201]\n" + TILE
        # There is no settings file: it is made at the top of what is open.
        made = client.ask("codeAction/resolve", found[-1])["result"]
        create, edit = made["edit"]["documentChanges"]
        assert (
            create == {"kind": "create", "uri": settings.as_uri()} and edit["textDocument"]["uri"] == settings.as_uri()
        )
        assert after("", made) == '[levels]\nWC201 = "off"\n'
        settings.write_text("# größer 😀\n[levels]\nWC301 = 'off'\n")
        assert "edit" not in client.ask("codeAction/resolve", found[-1])["result"], "the file has come meanwhile"


def test_the_settings_file_that_holds_is_edited_or_it_is_said_why_not(tmp_path: Path) -> None:
    text = "[levels]\r\nWC301 = 'off'\r\n"
    top = tmp_path / "project"
    (top / ".git").mkdir(parents=True)
    (top / "warpcost.toml").write_text("hints = true\n")
    (tmp_path / "elsewhere.toml").write_text(text)
    said = {"wrong": "not TOML", "read-only": "read-only", "link": "out of the project"}
    for name in ("there", *said):
        (top / name).mkdir()
        settings = top / name / "warpcost.toml"
        if name == "link":
            settings.symlink_to(tmp_path / "elsewhere.toml")
        else:
            settings.write_text("[levels" if name == "wrong" else text, newline="")
            settings.chmod(0o444 if name == "read-only" else 0o644)
    with raw(REAL) as client:
        client.hello(ABLE)

        def project(name: str) -> dict[str, Any]:
            uri = client.open(TILE, (top / name / "a.cu").as_uri())
            client.published(uri, bool)
            action = titled(offered(client, uri, 4), "Silence WC201 in this project (warpcost.toml)")
            found: dict[str, Any] = client.ask("codeAction/resolve", action)["result"]
            return found

        found = project("there")
        edit = found["edit"]["documentChanges"][0]
        assert edit["textDocument"] == {"uri": (top / "there" / "warpcost.toml").as_uri(), "version": None}
        assert after(text, found) == text + 'WC201 = "off"\r\n'
        for name, reason in said.items():
            found = project(name)
            assert reason in found["disabled"]["reason"] and "edit" not in found
        client.notify("workspace/didChangeConfiguration", {"settings": {"warpcost": {"levels": {"WC101": "off"}}}})
        assert "the editor's own setting" in project("there")["disabled"]["reason"]


def test_commands_are_offered_to_clients_that_have_them() -> None:
    with raw(REAL) as client:
        client.hello({**ABLE, "experimental": COMMANDS})
        uri = client.open(TILE)
        client.published(uri, bool)
        found = offered(client, uri, 4)
        page, why = titled(found, "Show documentation for WC201"), titled(found, "Why this level?")
        assert page["command"]["arguments"] == ["WC201"] and page["command"]["command"] == "warpcost.showRule"
        assert why["command"]["arguments"] == [uri, 5] and why["command"]["command"] == "warpcost.openWhy"
        asked = {"command": "warpcost.explainLine", "arguments": [uri, 5]}
        text = client.ask("workspace/executeCommand", asked)["result"]
        assert (
            text.startswith("a.cu:5:")
            and "WC201 bank-conflict begins at warning" in text
            and "reported as warning" in text
        )
        for wrong in ([uri], [uri, 0], [uri, "5"], ["file:///t/b.cu", 5], []):
            answer = client.ask("workspace/executeCommand", {**asked, "arguments": wrong})
            assert answer["error"]["code"] == -32602, json.dumps(answer)
