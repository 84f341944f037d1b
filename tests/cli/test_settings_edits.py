"""A rule switched off in a settings file: all else of the file stays as it was, and what cannot be edited is said."""

from __future__ import annotations

import tomllib

import pytest

from analysis_core.report.findings.model import CheckId
from analysis_core.report.fixes.edits import applied
from analysis_core.support.settings import Settings
from analysis_core.workspace.settings_edits import silenced
from analysis_core.workspace.settings_file import read_settings

RULE = CheckId("WC101")
FILES = {
    "nothing": ("", '[levels]\nWC101 = "off"\n'),
    "blank": ("\n \n", '\n \n[levels]\nWC101 = "off"\n'),
    "other keys": ('hints = true  # all\n', 'hints = true  # all\n\n[levels]\nWC101 = "off"\n'),
    "no end of line": ("hints = true", 'hints = true\n\n[levels]\nWC101 = "off"'),
    "a table": (
        '[levels]  # loud\n  WC301 = "hint" # by design\n\n[values]\nn = 3\n',
        '[levels]  # loud\n  WC301 = "hint" # by design\n  WC101 = "off"\n\n[values]\nn = 3\n',
    ),
    "an empty table": ("[levels]\n# none yet\n[values]\n", '[levels]\nWC101 = "off"\n# none yet\n[values]\n'),
    "the table at the end": ("[levels]", '[levels]\nWC101 = "off"'),
    "braces": ('levels = { WC301 = "hint" } # x\n', 'levels = { WC301 = "hint", WC101 = "off" } # x\n'),
    "empty braces": ("levels = {}\n[values]\nn = 1\n", 'levels = { WC101 = "off" }\n[values]\nn = 1\n'),
    "dotted": ('levels.WC301 = "hint"\n[values]\n', 'levels.WC301 = "hint"\nlevels.WC101 = "off"\n[values]\n'),
    "set": ("[levels]\nWC101 = 'hint' # x\n", '[levels]\nWC101 = "off" # x\n'),
    "set by name": ('[levels]\nuncoalesced-access = "hint"\n', '[levels]\nuncoalesced-access = "off"\n'),
    "set twice": (
        'levels = { WC101 = "hint", uncoalesced-access = "error" }',
        'levels = { WC101 = "off", uncoalesced-access = "off" }',
    ),
    "set to nonsense": ("[levels]\nWC101 = [\n1,\n]\n", '[levels]\nWC101 = "off"\n'),
    "ends of Windows": ("hints = true\r\n", 'hints = true\r\n\r\n[levels]\r\nWC101 = "off"\r\n'),
    "a table of Windows": ('[levels]\r\nWC301 = "off"\r\n', '[levels]\r\nWC301 = "off"\r\nWC101 = "off"\r\n'),
    "no number": ("x = nan\n", 'x = nan\n\n[levels]\nWC101 = "off"\n'),
    "a mark of bytes": ("\ufeff[levels]\n", '\ufeff[levels]\nWC101 = "off"\n'),
    "letters of all kinds": ("# größer 😀\n[levels]\n\tWC301='off'\n", "# größer 😀\n[levels]\n\tWC301='off'\n\tWC101 = \"off\"\n"),
}  # fmt: skip


def edited(path: str, text: str) -> str:
    edits = silenced(path, text.encode(), RULE)
    assert not isinstance(edits, str), edits
    data = text.encode()
    for edit in edits:
        data = applied(data, edit)
    return data.decode()


@pytest.mark.parametrize("name", FILES)
def test_all_else_stays(name: str) -> None:
    before, after = FILES[name]
    assert edited("/p/warpcost.toml", before) == after
    found = read_settings("/p/warpcost.toml", after.encode(), Settings())
    assert found.settings.levels["WC101"] == "off"


def test_the_table_of_a_project_of_python() -> None:
    before = '[project]\nname = "x"\n[tool.warpcost]\nhints = true\n[tool.ruff]\n'
    after = edited("/p/pyproject.toml", before)
    assert after == before + '\n[tool.warpcost.levels]\nWC101 = "off"\n'
    before = '[tool.warpcost.levels]\nWC301 = "off"\n[tool.ruff]\n'
    assert tomllib.loads(edited("/p/pyproject.toml", before))["tool"] == {
        "warpcost": {"levels": {"WC301": "off", "WC101": "off"}}, "ruff": {}
    }  # fmt: skip


@pytest.mark.parametrize("text", ["[levels", "levels = 3\n", "[[levels]]\n", "levels = 1\n[tool]\n", "a = \x00"])
def test_what_cannot_be_edited_is_said(text: str) -> None:
    assert isinstance(silenced("/p/warpcost.toml", text.encode(), RULE), str)
    assert isinstance(silenced("/p/warpcost.toml", b"\xff\xfe", RULE), str)
