"""Settings files: what they may say, and that what is wrong is said at its place and harms nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.cli.settings_file import SettingsFile, find_settings, read_settings
from analysis_core.support.settings import Settings

GOOD = b"""
default-block = [128, "32x8", [4, 4, 4]]
block = "16,16"
include-paths = ["include", "/abs"]
exclude = ["third_party/*"]
cc = 8.6
warning-share = 0.5
representative_size = 4096
[values]
n = 64
[defines]
TILE = 32
NAME = "float"
ON = true
"""


def read(data: bytes, path: str = "proj/warpcost.toml") -> SettingsFile:
    return read_settings(path, data, Settings())


def test_a_whole_file() -> None:
    found = read(GOOD)
    assert found.findings == ()
    assert found.exclude == ("third_party/*",)
    settings = found.settings
    assert settings.default_blocks == ((128, 1, 1), (32, 8, 1), (4, 4, 4))
    assert settings.block == (16, 16, 1)
    assert settings.include_paths == ("proj/include", "/abs")
    assert settings.compute_capability == "8.6"
    assert (settings.warning_share, settings.representative_size) == (0.5, 4096)
    assert settings.values == {"n": 64}
    assert settings.defines == {"TILE": "32", "NAME": "float", "ON": "1"}


@pytest.mark.parametrize(
    ("line", "key", "part"),
    [
        (b"wraning-share = 1", b"wraning-share", "unknown setting"),
        (b'warning-share = "much"', b"warning-share", "a number is expected"),
        (b"warning-share = true", b"warning-share", "a number is expected"),
        (b"representative-size = 0", b"representative-size", "out of range"),
        (b"representative-size = 1.5", b"representative-size", "an integer is expected"),
        (b"block = [64, 64]", b"block", "at most 1024 threads"),
        (b'block = "wide"', b"block", "is not a block"),
        (b"block = {x = 1}", b"block", "is expected here"),
        (b"grid = 0", b"grid", "at least 1"),
        (b"cc = 3.5", b"cc", "older than 6.0"),
        (b"exclude = 3", b"exclude", "list of strings"),
        (b"values = [1]", b"values", "table of integers"),
        (b"[defines]\nX = 1.5", b"defines", "table of strings or integers"),
        (b"'inline-depth' = -1", b"inline-depth", "out of range"),
    ],
)
def test_a_bad_key_is_reported_at_its_place_and_the_rest_holds(line: bytes, key: bytes, part: str) -> None:
    data = b"warning-factor = 3\n" + line + b"\n"
    found = read(data)
    (finding,) = found.findings
    assert finding.check == "WC903" and part in finding.message
    assert data[finding.span.start : finding.span.end] == key
    assert finding.span.start > data.index(b"\n")
    assert found.settings == Settings(warning_factor=3.0)


def test_a_broken_file_is_ignored_with_its_place() -> None:
    data = b"warning-share = 0.5\nblock = = 3\n"
    found = read(data)
    (finding,) = found.findings
    assert "not TOML" in finding.message
    assert finding.span.start == data.index(b"= 3")
    assert found.settings == Settings()
    assert "not UTF-8" in read(b"# \xff").findings[0].message


def test_a_pyproject_has_a_table_of_its_own() -> None:
    data = b'[project]\nname = "x"\nblock = 1\n[tool.warpcost]\nblock = 64\nwhat = 1\n[tool.other]\nwhat = 2\n'
    found = read(data, "pyproject.toml")
    assert found.settings.block == (64, 1, 1)
    (finding,) = found.findings
    assert finding.span.start == data.index(b"what")
    assert read(b"[project]\n", "pyproject.toml") == SettingsFile("pyproject.toml", Settings())
    assert read(b"[tool]\nwarpcost = 3\n", "pyproject.toml").findings[0].message == "tool.warpcost has to be a table"


def test_the_nearest_file_upwards_is_used(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "warpcost.toml").write_text("block = 64")
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find_settings(str(inner), Settings()).settings.block == (64, 1, 1)
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.warpcost]\nblock = 32\n")
    found = find_settings(str(inner), Settings())
    assert found.settings.block == (32, 1, 1)
    assert found.path == str(tmp_path / "a" / "pyproject.toml")


@given(st.one_of(st.binary(max_size=60), st.text("[]{}='\"\\ \nabckey-_.#1", max_size=60).map(str.encode)))
def test_any_bytes_are_survived(data: bytes) -> None:
    found = read(data)
    for finding in found.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(data)


def test_conditions_are_read_as_annotations_are() -> None:
    found = read_settings("warpcost.toml", b'assume = ["n % 32 == 0 && w > 1"]', Settings())
    assert (found.settings.assume, found.findings) == (("n % 32 == 0 && w > 1",), ())
    wrong = read_settings("warpcost.toml", b'assume = ["n %% 3"]', Settings())
    assert wrong.settings.assume == ()
    assert [finding.message for finding in wrong.findings] == ["'n %% 3': `%` is not expected here"]
