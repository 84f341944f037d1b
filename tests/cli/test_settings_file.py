"""Settings files: what they may say, and that what is wrong is said at its place and harms nothing else."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from analysis_core.workspace import model_files
from analysis_core.workspace.settings_file import SettingsFile, find_settings, read_settings, setting_names
from analysis_core.workspace.toml_places import Path as Path_
from analysis_core.workspace.toml_places import toml_places

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
[metrics.dram]
sectors = 32
conflicts = 1
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
    assert settings.metrics == {"dram": {"sectors": 32, "conflicts": 1}}


@pytest.mark.parametrize(
    ("line", "place", "part"),
    [
        (b"wraning-share = 1", b"wraning-share", "unknown setting 'wraning-share'; did you mean `warning-share`?"),
        (b"zzz = 1", b"zzz", "unknown setting 'zzz'"),
        (b'warning-share = "much"', b'"much"', "a number is expected"),
        (b"warning-share = true  # yes", b"true", "a number is expected"),
        (b"warning-share = 2", b"2", "out of range: 0 to 1"),
        (b"warning-share = nan", b"nan", "out of range"),
        (b"representative-size = 0", b"0", "out of range"),
        (b"representative-size = 1.5", b"1.5", "an integer is expected"),
        (b"block = [64, 64]", b"[64, 64]", "at most 1024 threads"),
        (b'block = "wide"', b'"wide"', "is not a block"),
        (b"block = {x = 1}", b"{x = 1}", "is expected here"),
        (b"grid = 0", b"0", "at least 1"),
        (b"cc = 3.5", b"3.5", "older than 6.0"),
        (b'cuda-version = "new"', b'"new"', "no version of CUDA"),
        (b"exclude = 3", b"3", "list of strings"),
        (b'exclude = ["a", 3]', b"3", "list of strings"),
        (b"values = [1]", b"[1]", "table of integers"),
        (b'values = { n = 1, "no name" = 2 }', b'"no name"', "is not the name of a parameter"),
        (b"values.n = 0.5", b"0.5", "an integer is expected"),
        (b"[defines]\nX = 1.5", b"1.5", "a string or an integer"),
        (b"[defines]\n2X = 1", b"2X", "is not the name of a macro"),
        (b"'inline-depth' = -1", b"-1", "out of range"),
        (b'bounds = "no"', b'"no"', "true or false"),
        (b'assume = """\nn = 3"""', b'"""\nn = 3"""', "n = 3"),
        (b'[levels]\n"WC1O1" = "off"', b'"WC1O1"', "unknown rule 'WC1O1'; did you mean `WC101`?"),
        (b'[levels]\nWC101 = "warnig"', b'"warnig"', "did you mean `warning`?"),
        (b"levels.WC101 = 2", b"2", "one of off, hint, information"),
        (b"levels = 2", b"2", "table of levels"),
        (b"[levels.WC101]\nx = 1", b"WC101", "one of off, hint, information"),
        (b"metrics = 3", b"3", "a table of metrics"),
        (b"metrics.dram = 3", b"3", "a table of weights"),
        (b"metrics = { dram = {} }", b"{}", "a table of weights"),
        (b"metrics.steps.sectors = 1", b"steps", "is counted already"),
        (b"metrics.'a b'.sectors = 1", b"'a b'", "other characters than letters"),
        (b"metrics = { dram = { sectors = 32, secotrs = 1 } }", b"secotrs", "did you mean `sectors`?"),
        (b"metrics.dram.sectors = -1", b"-1", "from 0 to 999999"),
    ],
)
def test_what_is_wrong_is_reported_at_its_place_and_the_rest_holds(line: bytes, place: bytes, part: str) -> None:
    data = b"warning-factor = 3\n" + line + b"\n"
    found = read(data)
    (finding,) = found.findings
    assert finding.check == "WC903" and part in finding.message
    assert data[finding.span.start : finding.span.end] == place
    assert finding.span.start > data.index(b"\n")
    assert replace(found.settings, values={}) == Settings(warning_factor=3.0)
    (in_project,) = read(
        b"[project]\nname = 'x'\n[tool.warpcost]\n"
        + line.replace(b"[levels", b"[tool.warpcost.levels").replace(b"[defines", b"[tool.warpcost.defines")
        + b"\n",
        "pyproject.toml",
    ).findings
    assert in_project.message == finding.message


def test_good_elements_hold_beside_bad_ones() -> None:
    found = read(
        b'values = { n = 1, m = "x", k = 3 }\nassume = ["n > 1", "n >", "n < 9"]\ndefault-block = [64, 4096, "8,8"]\n'
        b'[levels]\nmisaligned-access = "off"\nWC999 = "off"\n[metrics]\na = { steps = 2 }\nb = { steps = 2, moves = 1 }\n'
    )
    assert len(found.findings) == 5
    assert found.settings.metrics == {"a": {"steps": 2}}
    assert found.settings.values == {"n": 1, "k": 3}
    assert found.settings.assume == ("n > 1", "n < 9")
    assert found.settings.default_blocks == ((64, 1, 1), (8, 8, 1), (8, 8, 4))
    assert found.settings.levels == {"WC102": "off"}


ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "analysis_core" / "cli" / "settings_schema.json").read_text())


def test_the_schema_has_the_same_keys_and_defaults() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    properties = SCHEMA["properties"]
    assert set(properties) == set(setting_names())
    defaults = {key: rule["default"] for key, rule in properties.items() if "default" in rule}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in defaults.items())
    assert replace(read(lines.encode()), keys=frozenset()) == SettingsFile("proj/warpcost.toml", Settings())
    page = (ROOT / "docs" / "settings.md").read_text()
    assert [key for key in setting_names() if f"`{key}`" not in page] == []


@pytest.mark.parametrize(
    ("text", "good"),
    [
        (GOOD.decode().replace("representative_size", "representative-size"), True),
        ('block = "32x8"', True),
        ("block = [0]", False),
        ("bounds = 1", False),
        ("warning-share = 3", False),
        ('levels.WC101 = "loud"', False),
        ("[values]\nn = 1.5", False),
        ("[defines]\n1x = 1", False),
        ("exclude = [3]", False),
        ("wraning-share = 1", False),
        ("[metrics.dram]\nsectors = 1.5", False),
        ("[metrics.dram]\nbyte = 1", False),
        ("[metrics.dram]\nbytes = 1\nflops.fma.f64 = 2\ncalls.'ns::f' = 3", True),
        ("[metrics.steps]\nsectors = 1", False),
        ('default-block = [64, "8,8", [4, 4, 4]]', True),
    ],
)
def test_the_schema_and_the_reader_agree(text: str, good: bool) -> None:
    valid = jsonschema.Draft202012Validator(SCHEMA).is_valid(tomllib.loads(text))
    assert (valid, not read(text.encode()).findings) == (good, good)


def test_the_example_of_the_page_is_true() -> None:
    """Carets in comments stand below what is wrong on the nearest line above that is no comment."""
    page = (ROOT / "docs" / "rules" / "WC903.md").read_text()
    text = re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1]  # type: ignore[index]
    claims, line = [], 0
    for number, row in enumerate(text.splitlines(), 1):
        claim = re.fullmatch(r'#\s*(\^+) WC903 "(.*)"', row)
        if claim is None:
            line = number
        else:
            claims.append((line, claim.end(1), claim[2]))
    found = [(LineIndex.of(text.encode()).position(f.span.end), f.message) for f in read(text.encode()).findings]
    found.sort()
    assert [place for place, _ in found] == [(line, column + 1) for line, column, _ in claims]
    assert all(part in message for (_, message), (_, _, part) in zip(found, claims, strict=True))


KEYS = st.sampled_from(["a", "b-c", '"q.r"', "'s'", '"\\u00e9"', "1"])
VALUES = st.recursive(
    st.sampled_from(
        ["1", "-2.5", "true", '"x # y"', "'[z'", '"""m\n"n" """', "'''o\n'''", "1979-05-27 07:32:00", "inf"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[ " + ",\n # c ]\n".join(items) + " ]"),
        st.lists(st.tuples(KEYS, inner), max_size=2, unique_by=lambda pair: pair[0]).map(
            lambda pairs: "{ " + ", ".join(f"{key} = {value}" for key, value in pairs) + " }"
        ),
    ),
    max_leaves=6,
)


@given(
    st.lists(st.tuples(st.sampled_from(["", "[t]\n", "[t.u]\n", "[[v]]\n", "[[v.w]] # c\n"]), KEYS, VALUES), max_size=5)
)
def test_places_are_those_of_the_values(rows: list[tuple[str, str, str]]) -> None:
    """Each value that tomllib finds has a place, and the text there has that value."""
    text = "".join(f"{head}{key} = {value}  # {number}\n" for number, (head, key, value) in enumerate(rows))
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    places = toml_places(text.encode())

    def inspect(path: Path_, value: object) -> None:
        place = places[path]
        part = text.encode()[place.value[0] : place.value[1]].decode()
        if place.key != place.value:
            assert tomllib.loads(f"x = {part}")["x"] == value or value != value
        inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
        is_tables = isinstance(value, list) and place.key == place.value
        for key, item in inner:
            if is_tables:
                for name, element in item.items():
                    inspect((*path, key, name), element)
            else:
                inspect((*path, key), item)

    for key, value in document.items():
        inspect((key,), value)


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


def test_models_that_are_missing_are_told(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    for name in ("b.cuh", "a.cuh", ".hidden.cuh", "c.txt"):
        (tmp_path / "own" / name).write_text("")
    text = b'models = ["own/*.cuh", "gone.cuh", "o?n/*/deep*.cuh", "own/a.cuh"]\n'
    (tmp_path / "warpcost.toml").write_bytes(text)
    found = find_settings(str(tmp_path), Settings())
    assert [Path(path).name for path in found.settings.models] == ["a.cuh", "b.cuh"]
    assert [text[f.span.start : f.span.end] for f in found.findings] == [b'"gone.cuh"', b'"o?n/*/deep*.cuh"']
    assert all("no such file" in f.message for f in found.findings)


def test_globs_of_models_look_through_so_many_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_files, "_MOST_NAMES", 100)
    for i in range(20):
        (tmp_path / f"d{i}").mkdir()
        for j in range(20):
            (tmp_path / f"d{i}" / f"{j}.cuh").write_text("")
    (tmp_path / "warpcost.toml").write_bytes(b'models = ["d*/*.cuh", "d0/0.cuh"]\n')
    found = find_settings(str(tmp_path), Settings())
    assert len(found.settings.models) <= 64
    assert "not all are looked through" in found.findings[0].message
