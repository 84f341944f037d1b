"""Choices and cards in `//@` comments and settings files: a bar marks the cursor."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from analysis_core.expressions.metric import Metric
from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from analysis_core.workspace.settings_file import read_settings, setting_names
from lsp_server.features.annotation_choices import METRICS, annotation_card, annotation_choices
from lsp_server.features.choices import Choice
from lsp_server.features.settings_choices import schema, settings_card, settings_choices
from tests.server.raw import raw
from tests.server.session import REAL

BEFORE = """#define N 4
__global__ void first(int other) { if (other) { int local = 3; } }
"""
KERNEL = """
template <typename T, int M>
__global__ void __launch_bounds__(256) k(const float *__restrict__ in, std::pair<int, int> p, float out[],
                  unsigned int n = 3 /* , no */) {
    int i = threadIdx.x, j; // } {
    in[0] = "{";
"""


def sourced(text: str) -> list[Choice]:
    at = text.encode().index(b"|")
    return list(annotation_choices(LineIndex.of(text.replace("|", "", 1).encode()), at))


def names(found: list[Choice]) -> list[str]:
    return [choice.label for choice in found]


def test_parts_of_contracts() -> None:
    kernel = "\n__global__ void k(float *a, int n) {}"

    def offered(line: str) -> list[str]:
        return names(sourced(f"//@ expect {line}|{kernel}"))

    assert offered("")[:2] == ["sectors", "excessive_sectors"]
    assert offered("sectors ") == ["per_warp", "per_block", "per_launch"]
    assert {"n", "ceil", "when", "per_block"} <= set(offered("sectors <= "))
    assert "per_warp" not in offered("sectors per_block <= ")
    assert {"n", "gridDim"} <= set(offered("sectors <= 4 when ")) and "when" not in offered("sectors <= 4 when ")


def test_metrics_of_contracts_are_those_that_there_are() -> None:
    assert list(METRICS) == [metric.value for metric in Metric]


def test_words_of_annotations() -> None:
    words = ["launch", "assume", "aligned", "loop_bound", "assert", "requires", "ensures", "expect"]
    for text in (
        "//@|",
        "//@ |",
        "x; //@ as|",
        "/*@ |",
        "\t//@ l|aunch block=(3)",
        'f("a"); //@ |',
        "//@ größer",
        "//@|\r\n",
    ):
        assert names(sourced(text if "|" in text else text + "|")) == ([] if "größer" in text else words), text
    for text in (
        "|",
        "// a @|",
        "// x //@ |",
        '"//@ |"',
        "/*@ x */ |",
        "//@ assume n // |",
        "//@ wrong |",
        "//@ loop_bound |",
    ):
        assert sourced(text) == [], text
    (choice,) = [c for c in sourced("é //@ as|") if c.label == "assume"]
    assert (choice.start, choice.end) == (7, 9) and "kernel's integer parameters" in choice.says


def test_names_of_the_kernel_that_is_meant() -> None:
    grid = ["gridDim", "blockDim", "blockIdx"]
    functions = ["ceil", "ceil_div", "min", "max"]
    assert names(sourced(BEFORE + "//@ assume |" + KERNEL)) == ["p", "n", *grid, *functions]
    assert names(sourced("//@ assume a && n|\n" + BEFORE)) == ["other", *grid, *functions]
    assert names(sourced(BEFORE + KERNEL + "//@ assert i < |\n}\n")) == [
        "in", "p", "out", "n", "i", *grid, "threadIdx", *functions
    ]  # fmt: skip
    assert names(sourced(BEFORE + KERNEL + "//@ ensures \\\\|"))[-1] == r"\\old"[1:]
    assert names(sourced("//@ aligned(|" + KERNEL)) == ["in", "out"]
    assert sourced("//@ aligned(in, |" + KERNEL) == []
    assert names(sourced("//@ assume blockDim.|" + KERNEL)) == ["x", "y", "z"]
    assert sourced("//@ assume p.|" + KERNEL) == []
    assert names(sourced("//@ launch |" + KERNEL)) == ["block", "grid"]
    assert names(sourced("//@ launch block=(16) |" + KERNEL)) == ["grid"]
    assert names(sourced("//@ launch block=(16) grid=(n|" + KERNEL)) == ["p", "n", *grid, *functions]
    assert names(sourced("//@ assume |\n__global__ void k(")) == [*grid, *functions], "half a head"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("//@ as|sume n > 0", "kernel's integer parameters"),
        ("//@ launch bl|ock=(3)", "shape of a block"),
        ("//@ assume ce|il(n/3)", "rounded up"),
        ("//@ assume |n > 3", "`unsigned int n`"),
        ("//@ assume m|ore", None),
        ("assume| n", None),
        ("//@|", None),
    ],
)
def test_cards_of_annotations(text: str, says: str | None) -> None:
    at = text.encode().index(b"|")
    card = annotation_card("a.cu", LineIndex.of((text.replace("|", "") + KERNEL).encode()), at)
    assert (card is None) == (says is None) and (says is None or card is None or says in card.markdown)


def settled(text: str, path: str = "/p/warpcost.toml") -> list[Choice]:
    at = text.encode().index(b"|")
    return list(settings_choices(path, LineIndex.of(text.replace("|", "", 1).encode()), at))


LEVELS = ["off", "hint", "information", "warning", "error"]


def test_keys_and_values_of_settings() -> None:
    assert set(names(settled("|"))) == set(setting_names()) == set(schema())
    assert names(settled("hints = |")) == ["true", "false"]
    assert names(settled("[levels]\nWC101 = |")) == LEVELS
    assert names(settled('[levels]\r\nWC101 = "o|"')) == LEVELS
    assert names(settled("levels = { WC101 = 'o|")) == LEVELS
    assert names(settled("[levels] # größer 😀\n  |"))[0] == "WC101"
    assert names(settled("levels = { |"))[0] == "WC101" == names(settled("levels.W|"))[0]
    assert names(settled("[|")) == ["values", "defines", "levels", "metrics"]
    assert names(settled("[metrics.dram]\nsec|"))[0] == "sectors"
    assert names(settled('cc = "|'))[0] == "9.0"
    assert names(settled("run-arguments = |")) == ["false"]
    for text in ("[values]\n|", "# |", 'hints = "x" # |', "[other]\n|", "hints = true |x y"):
        assert settled(text) == [], text
    for text in ("|", "[project]\n|", "[tool.other]\nhints = |"):
        assert settled(text, "/p/pyproject.toml") == [], text
    assert "hints" in names(settled("[tool.warpcost]\n|", "/p/pyproject.toml"))
    assert names(settled("[|", "/p/pyproject.toml"))[0] == "tool.warpcost.values"


@pytest.mark.parametrize("text", ["[levels]\nWC101 = |\n", '[levels]\nWC101 = "|"\n', "levels = { WC101 = '|' }", "hints = |", 'cc = "|"', "compile-commands = |"])  # fmt: skip
def test_every_value_is_one_that_holds(text: str) -> None:
    data = text.replace("|", "").encode()
    found = settled(text)
    assert found
    for choice in found:
        after = data[: choice.start] + choice.text.encode() + data[choice.end :]
        assert not read_settings("/p/warpcost.toml", after, Settings()).findings, after


def test_cards_of_settings() -> None:
    def card(text: str) -> str:
        at = text.encode().index(b"|")
        found = settings_card("/p/warpcost.toml", LineIndex.of(text.replace("|", "").encode()), at)
        return "" if found is None else found.markdown

    assert "Share of the kernel's cost" in card("warning-s|hare = 1") and "Without it: `0.25`" in card(
        "w|arning-share = 1"
    )
    assert "uncoalesced-access" in card("[levels]\n|WC101 = 3") and "bank-conflict" in card("levels.bank-c|onflict = 3")
    assert "How loud rules are" in card("[lev|els]")
    assert (
        not card("# warning-|share")
        and not card("x = warning-|share")
        and not card("|")
        and not card("[project]\nhi|nts = 1")
    )


def test_half_typed_texts_break_nothing() -> None:
    draw = random.Random(5)
    texts = [
        BEFORE + "//@ assume n > (" + KERNEL + "//@ ensures \\old(",
        """[levels]\r\nWC101 = "off"\nlevels = { a = [1, "x\n[tool.warp\ncost']]\n= 3 ö""",
    ]
    for _ in range(300):
        text = draw.choice(texts)
        first, last = sorted(draw.randrange(len(text) + 1) for _ in "ab")
        index = LineIndex.of(
            (text[:first] + draw.choice(["", "\r", "//@ assert ", "{", '"', "\x00", "="]) + text[last:]).encode()
        )
        at = draw.randrange(len(index.data) + 1)
        for path in ("/p/warpcost.toml", "/p/pyproject.toml"):
            found = [*annotation_choices(index, at), *settings_choices(path, index, at)]
            assert all(0 <= c.start <= c.end <= len(index.data) for c in found)
            annotation_card(path, index, at)
            settings_card(path, index, at)


def test_a_client_gets_them_in_its_columns(tmp_path: Path) -> None:
    with raw(REAL) as client:
        client.hello()
        uri = client.open("/* 😀ö */ //@ as\n__global__ void k(int n) {}\n")

        def asked(method: str, where: str, line: int, character: int) -> object:
            place = {"line": line, "character": character}
            return client.ask(f"textDocument/{method}", {"textDocument": {"uri": where}, "position": place})["result"]

        found = asked("completion", uri, 0, 16)
        assert isinstance(found, dict) and found["isIncomplete"] is False
        (item,) = [item for item in found["items"] if item["label"] == "assume"]
        assert item["textEdit"]["range"] == {"start": {"line": 0, "character": 14}, "end": {"line": 0, "character": 16}}
        assert asked("completion", uri, 1, 5) is None
        hover = asked("hover", uri, 0, 15)
        assert hover is None, "a word that is none"
        settings = client.open("[levels]\nWC2", f"{tmp_path.as_uri()}/warpcost.toml")
        found = asked("completion", settings, 1, 3)
        assert isinstance(found, dict) and "WC201" in [item["label"] for item in found["items"]]
        hover = asked("hover", settings, 0, 3)
        assert isinstance(hover, dict) and "How loud rules are" in hover["contents"]["value"]
        for method in ("codeLens", "inlayHint", "codeAction"):
            place = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
            params = {"textDocument": {"uri": settings}, "range": place, "context": {"diagnostics": []}}
            assert not client.ask(f"textDocument/{method}", params)["result"]
        client.change(settings, 2, "hints = ")
        found = asked("completion", settings, 0, 8)
        assert isinstance(found, dict) and [item["label"] for item in found["items"]] == ["true", "false"]
        # A change of an older text: what is offered would be of another text.
        part = {"text": "x"}
        params = {"textDocument": {"uri": settings, "version": 2}, "contentChanges": [part]}
        client.notify("textDocument/didChange", params)
        assert asked("completion", settings, 0, 8) is None
        client.notify("textDocument/didClose", {"textDocument": {"uri": settings}})
        assert not [m for m in client.got if m.get("method") == "window/showMessage"]
