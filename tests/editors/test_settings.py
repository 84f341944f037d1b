"""The extension's settings are those that the server takes, described and with the same defaults."""

from __future__ import annotations

import json
import re
import zipfile
from typing import Any

from analysis_core.support import addresses
from lsp_server.options import read_options
from tests.editors.tools.places import EXTENSION, ROOT, VSIX

OWN = {"server.path", "server.interpreter", "server.args", "trace.server"}
UNSET: dict[str, object] = {"string": "", "object": {}, "array": []}
"""What the editor's page of settings shows of a setting that is not set, by its type."""

SHOWN = {"codeLens", "inlayHints", "kernelHint", "steps", "sinceCommit", "blockShapes"}


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
        unset = UNSET.get(str(found.get("type")))
        assert found["default"] == (unset if expected.get("default") is None else expected["default"]), name
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
    # What is not set, as the page of settings has it, says nothing.
    unset = dict.fromkeys(("block", "grid", "compileCommands"), "")
    assert read_options({**unset, "codeLens": None}) == read_options({})
    assert [name for name, value in properties().items() if not has_a_field(value)] == ["metrics"], (
        "in settings.json alone"
    )


def has_a_field(value: dict[str, Any]) -> bool:
    """Whether the page of settings draws a field for it: of a list, one of texts; of an object, one of plain values or of choices."""
    kind = value.get("type")
    if kind == "array":
        return str(value.get("items", {}).get("type")) == "string"
    if kind == "object":
        of = value.get("additionalProperties", {})
        return "enum" in of or str(of.get("type")) in {"string", "boolean", "number", "integer"}
    return str(kind) in {"string", "boolean", "number", "integer"}


def test_findings_of_a_task_are_read_off_its_lines() -> None:
    package = json.loads((EXTENSION / "package.json").read_text())["contributes"]
    (matcher,) = package["problemMatchers"]
    pattern = matcher["pattern"]
    line = "a b/c.cu:7:9: information[WC101] uncoalesced-access: Uncoalesced load from `a`: each warp"
    found = re.match(pattern["regexp"], line)
    assert found is not None
    said = [found[pattern[part]] for part in ("file", "line", "column", "severity", "code", "message")]
    assert said == ["a b/c.cu", "7", "9", "information", "WC101", line[line.index("unc") :]]
    assert not re.match(pattern["regexp"], "  note: a.cu:7:9: launched here with block (32, 32)")
    assert {one["type"] for one in package["taskDefinitions"]} == {"warpcost"}
    assert set(package["taskDefinitions"][0]["properties"]["target"]["enum"]) == {"file", "workspace"}


def test_the_schema_of_settings_has_an_address_and_comes_with_the_extension() -> None:
    (shipped,) = json.loads((EXTENSION / "package.json").read_text())["contributes"]["tomlValidation"]
    assert shipped["fileMatch"] == "warpcost.toml" and shipped["url"] == "./schemas/warpcost.json"
    with zipfile.ZipFile(VSIX) as package:
        own = json.loads(package.read("extension/schemas/warpcost.json"))
    assert own["$id"] == f"{addresses.FILES}/analysis_core/cli/settings_schema.json"
    assert {camel(name) for name in own["properties"]} == set(schema())


def test_programs_are_not_chosen_by_a_workspace_that_is_not_trusted() -> None:
    package = json.loads((EXTENSION / "package.json").read_text())
    limited = package["capabilities"]["untrustedWorkspaces"]
    assert limited["supported"] == "limited"
    assert {f"warpcost.{name}" for name in OWN if name.startswith("server.")} == set(
        limited["restrictedConfigurations"]
    )
