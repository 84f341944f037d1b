"""Settings, files that change on the disk, status, progress, commands: what an editor's session is made of beside its documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from tests.server.raw import Raw, message, raw
from tests.server.session import REAL, ROOT

SCHEMA = json.loads((ROOT / "analysis_core" / "report" / "schema1.json").read_text())

STRIDED = "__global__ void k(float *a) { a[threadIdx.x * 8] = 0; }\n"
ASKS = {"workspace": {"configuration": True, "workspaceFolders": True}}


def messages_of(found: list[dict[str, Any]]) -> list[str]:
    return [d["message"] for d in found]


def states(client: Raw) -> list[tuple[str, bool]]:
    told = [m["params"] for m in client.got if m.get("method") == "warpcost/status"]
    return [(status["health"], status["quiescent"]) for status in told]


def test_progress_may_be_cancelled_and_the_next_change_analyses_again() -> None:
    with raw() as client:
        client.hello({"window": {"workDoneProgress": True}})
        uri = client.open("FIRST ENDLESS")
        assert messages_of(client.published(uri)) == ["bad word"]
        client.reply("window/workDoneProgress/create", None)
        begun = client.notified("$/progress", lambda p: p["value"]["kind"] == "begin")
        assert begun["value"]["cancellable"] is True
        client.notified("warpcost/status", lambda status: not status["quiescent"])
        client.notify("window/workDoneProgress/cancel", {"token": begun["token"]})
        client.notified("$/progress", lambda p: p["value"]["kind"] == "end" and p["token"] == begun["token"])
        client.wait(lambda _: states(client)[-1] == ("ok", True))
        # What was found before is still what is known.
        report = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]
        assert messages_of(report["items"]) == ["bad word"]
        client.change(uri, 2, "BAD BAD")
        assert len(client.published(uri, lambda found: found[0]["range"]["end"]["character"] == 3)) == 1


def test_what_one_looks_at_goes_first_and_health_is_that_of_all_documents() -> None:
    with raw() as client:
        client.hello()
        behind = client.open("SLOW BAD", "file:///t/behind.cu")
        client.notified("warpcost/status", lambda status: not status["quiescent"])
        before = client.open("BAD", "file:///t/before.cu")
        client.published(behind)
        order = [m["params"]["uri"] for m in client.got if m.get("method") == "textDocument/publishDiagnostics"]
        assert order == [before, behind]
        failing = client.open("RAISE", "file:///t/failing.cu")
        told = client.notified("warpcost/status", lambda status: status["health"] == "error")
        assert "failing.cu" in told["message"]
        client.change(before, 2, " BAD")
        client.published(before, lambda found: found[0]["range"]["start"]["character"] == 1)
        client.ask("textDocument/codeLens", {"textDocument": {"uri": before}})  # What was to be told has been told.
        assert states(client)[-1][0] == "error", "another document's success does not mend it"
        client.close(failing)
        client.change(before, 3, "  BAD")
        client.wait(lambda m: states(client)[-1] == ("ok", True))


def test_workspace_folders_have_settings_of_their_own() -> None:
    folders = [{"uri": f"file:///t/{name}", "name": name} for name in ("one", "two", "two/inner")]
    cc = [{"cc": "7.0"}, {"cc": "7.5"}, {"cc": "8.0"}, {"cc": "8.6"}]
    with raw() as client:
        client.hello(ASKS, workspaceFolders=folders)
        items = client.notified("workspace/configuration")["items"]
        assert [item.get("scopeUri") for item in items] == [None, *(folder["uri"] for folder in folders)]
        client.reply("workspace/configuration", cc)
        for name, wanted in (("elsewhere", "7.0"), ("one", "7.5"), ("two", "8.0"), ("two/inner", "8.6")):
            uri = client.open("SETTINGS", f"file:///t/{name}/a.cu")
            assert messages_of(client.published(uri)) == [f"cc {wanted}"]
        # A folder that has no settings any more has those of all.
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.reply("workspace/configuration", [{"cc": "9.0"}, {"cc": "7.5"}, None, None], 2)
        client.published("file:///t/two/a.cu", lambda found: messages_of(found) == ["cc 9.0"])
        client.published("file:///t/one/a.cu", lambda found: messages_of(found) == ["cc 7.5"])


def test_no_answer_about_settings_stops_the_server() -> None:
    """Wrong forms are left out and said, at once or on the next change."""
    with raw() as client:
        client.hello(ASKS, workspaceFolders=[{"uri": "file:///t", "name": "t"}])
        wrong: list[Any] = ["text", 7, [], [[]], [{"cc": {}}, 5], [None, {"warningShare": "x"}], {"cc": "7.5"}]
        client.reply("workspace/configuration", wrong[0])
        for count, value in enumerate(wrong[1:], 2):
            client.notify("workspace/didChangeConfiguration", {"settings": {"warpcost": value}})
            client.reply("workspace/configuration", value, count)
        client.notified("warpcost/status", lambda status: status["health"] == "warning")
        client.notify("workspace/didChangeConfiguration", {"settings": 5})
        asked = client.wait(lambda m: sum(g.get("method") == "workspace/configuration" for g in client.got) == 8)
        assert asked
        number = [m["id"] for m in client.got if m.get("method") == "workspace/configuration"][-1]
        client.send(message({"id": number, "error": {"code": -32601, "message": "no"}}))
        client.notify("workspace/didChangeConfiguration", {"settings": {"warpcost": {"cc": "8.0"}}})
        client.reply("workspace/configuration", [{"cc": "8.0"}, None], 9)
        uri = client.open("SETTINGS")
        client.published(uri, lambda found: messages_of(found) == ["cc 8.0"])


def test_files_that_change_on_the_disk_are_read_again(tmp_path: Path) -> None:
    header, settings = tmp_path / "pitch.cuh", tmp_path / "warpcost.toml"
    header.write_text("#define PITCH 1\n")
    text = '#include "pitch.cuh"\n__global__ void k(float *a) { a[threadIdx.x * PITCH] = 0; }\n'
    pulls = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with raw(REAL) as client:
        client.hello(pulls)
        uri = client.open(text, (tmp_path / "a.cu").as_uri())
        report = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]
        assert report["items"] == []
        wanted: list[tuple[Path, str, set[str]]] = [
            (header, "#define PITCH 8\n", {"WC101"}),
            (settings, "[levels]\nWC101 = 'off'\n", set()),
            (settings, "nonsense = 1\n", {"WC101"}),
        ]
        answered: set[object] = set()
        for path, contents, codes in wanted:
            path.write_text(contents)
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
            # Being told once more than needed costs a question; what is right comes after some of them.
            while {d["code"] for d in report.get("items", ())} != codes or report["kind"] != "full":
                told = client.wait(
                    lambda m: m.get("method") == "workspace/diagnostic/refresh" and m["id"] not in answered
                )
                answered.add(told["id"])
                client.send(message({"id": told["id"], "result": None}))
                again = {"textDocument": {"uri": uri}, "previousResultId": report.get("resultId")}
                report = client.ask("textDocument/diagnostic", again)["result"]
        same = client.ask("textDocument/diagnostic", {**again, "previousResultId": report["resultId"]})["result"]
        assert same == {"kind": "unchanged", "resultId": report["resultId"]}
        # What is wrong in a settings file goes with the file.
        client.published(settings.as_uri(), bool)
        mark = len(client.got)
        settings.unlink()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": settings.as_uri(), "type": 3}]})
        assert client.published(settings.as_uri(), lambda found: not found, mark) == []


def test_commands_and_untitled_documents() -> None:
    def run(command: str, *arguments: object) -> Any:
        return client.ask("workspace/executeCommand", {"command": command, "arguments": list(arguments)})["result"]

    with raw(REAL) as client:
        client.hello()
        uri = client.open(STRIDED, "untitled:Untitled-1")
        (found,) = client.published(uri)
        assert found["code"] == "WC101"
        exported = json.loads(run("warpcost.exportJson", uri))
        jsonschema.Draft202012Validator(SCHEMA).validate(exported)
        assert exported["files"][0]["kernels"][0]["name"] == "k"
        for stage, said in (("ir", "store"), ("report", "WC101"), ("lp", "sectors")):
            assert said in run("warpcost.showStages", uri, stage, "k"), stage
        [before] = client.workers()
        assert run("warpcost.restart") is None
        mark = len(client.got)
        client.change(uri, 2, "\n" + STRIDED)
        client.published(uri, lambda found: found and found[0]["range"]["start"]["line"] == 1, mark)
        assert client.workers() != [before]
