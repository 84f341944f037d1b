"""The extension's settings are those that the server takes, described and with the same defaults."""

from __future__ import annotations

import json
import re
from typing import Any

from lsp_server.options import read_options
from tests.editors.tools.places import EXTENSION, ROOT

OWN = {"server.path", "server.interpreter", "server.args", "trace.server"}
SHOWN = {"codeLens", "inlayHints", "kernelHint", "steps"}


def properties() -> dict[str, dict[str, Any]]:
    package = json.loads((EXTENSION / "package.json").read_text())
    found = package["contributes"]["configuration"]["properties"]
    return {name.removeprefix("warpcost."): value for name, value in found.items()}


def camel(name: str) -> str:
    return re.sub("-(.)", lambda match: match[1].upper(), name)


def schema() -> dict[str, dict[str, Any]]:
    text = (ROOT / "analysis_core" / "cli" / "settings_schema.json").read_text()
    return {camel(name): value for name, value in json.loads(text)["properties"].items()}


def test_every_setting_of_the_server_is_there() -> None:
    assert set(properties()) == {*OWN, *SHOWN, *schema()}


def test_each_says_what_it_does_and_what_holds_without_it() -> None:
    for name, expected in schema().items():
        found = properties()[name]
        assert found["description"] == expected["description"], name
        assert found["default"] == expected.get("default"), name
    for name in (*OWN, *SHOWN):
        found = properties()[name]
        assert found.get("description") or found.get("markdownDescription"), name


def test_the_server_takes_them() -> None:
    examples = {"object": {}, "array": [], "string": "", "boolean": True, "number": 1, "integer": 1}
    given = {}
    for name, value in properties().items():
        if name not in OWN:
            kind = value.get("type", "string")
            first = kind if isinstance(kind, str) else kind[0]
            given[name] = value["default"] if value["default"] is not None else examples[first]
    given |= {"block": 64, "grid": 2, "assume": ["n > 0"], "includePaths": ["include"], "exclude": ["build"]}
    given["compileCommands"] = "out"
    given["runArguments"] = ["-n", 8192]
    assert read_options(given).problems == ()


def test_programs_are_not_chosen_by_a_workspace_that_is_not_trusted() -> None:
    package = json.loads((EXTENSION / "package.json").read_text())
    limited = package["capabilities"]["untrustedWorkspaces"]
    assert limited["supported"] == "limited"
    assert {f"warpcost.{name}" for name in OWN if name.startswith("server.")} == set(
        limited["restrictedConfigurations"]
    )
