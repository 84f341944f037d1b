"""The server's parts alone: positions, edits, settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import FileId, Span
from lsp_server import from_lsp, to_lsp
from lsp_server.documents import Documents, path_of
from lsp_server.encoding import Encoding, encoded
from lsp_server.options import Display, read_options, settings_with
from lsp_server.text_changes import Changed, Opened, Replaced, applied

TEXTS = st.text(st.sampled_from("aé😀\n\r\f\u2028 "), max_size=30)


@given(TEXTS, st.sampled_from(Encoding), st.integers(0, 40))
def test_positions_and_offsets_are_inverse_at_characters(text: str, unit: Encoding, at: int) -> None:
    prefix = text[: min(at, len(text))]
    if prefix.endswith("\r") and text[len(prefix) : len(prefix) + 1] == "\n":
        prefix += "\n"  # no position lies between the two halves of a line end
    index = LineIndex.of(encoded(text))
    offset = len(encoded(prefix))
    line_start, line_end = index.line_range(index.line_of(offset))
    if offset <= line_end:
        assert from_lsp.offset(index, to_lsp.position(index, offset, unit), unit) == offset
    assert line_start <= offset


def edited(data: bytes, unit: Encoding, *steps: Replaced | str) -> bytes:
    return applied(LineIndex.of(data), Changed("file:///f.cu", 2, steps), unit).data


@given(TEXTS, TEXTS, st.sampled_from(Encoding), st.integers(0, 30), st.integers(0, 30))
def test_an_edit_does_what_it_says(text: str, new: str, unit: Encoding, a: int, b: int) -> None:
    index = LineIndex.of(encoded(text))
    start, end = sorted((len(encoded(text[:a])), len(encoded(text[:b]))))
    if any(offset > index.line_range(index.line_of(offset))[1] for offset in (start, end)):
        return  # inside of a line end
    area = to_lsp.range_of(index, Span(FileId("f"), start, end), unit)
    places = [(place.line, place.character) for place in (area.start, area.end)]
    data = encoded(text)
    assert edited(data, unit, Replaced(*places, new)) == data[:start] + encoded(new) + data[end:]


def test_changes_of_one_message_follow_each_other() -> None:
    def at(column: int, text: str) -> Replaced:
        return Replaced((0, column), (0, column), text)

    assert edited(b"", Encoding.UTF16, at(0, "b"), at(1, "c"), at(0, "a")) == b"abc"
    assert edited(b"old", Encoding.UTF8, at(0, "b"), "x", at(1, "y")) == b"xy"


@pytest.mark.parametrize("line", [0, 5])
@pytest.mark.parametrize("unit", list(Encoding))
def test_positions_past_the_end_are_the_end(unit: Encoding, line: int) -> None:
    assert from_lsp.offset(LineIndex.of(b"ab"), types.Position(line, 99), unit) == 2


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c/%C3%A9.cu", "/a/b c/é.cu"),
        ("file://host/a.cu", "//host/a.cu"),
        ("untitled:Untitled-1", "untitled:Untitled-1"),
        ("vscode-vfs://github/a.cu", "vscode-vfs://github/a.cu"),
    ],
)
def test_paths_of_uris(uri: str, path: str) -> None:
    assert path_of(uri) == path


def test_open_documents_lie_over_the_disk() -> None:
    documents = Documents()
    documents.open(Opened("file:///a.cuh", 1, "open"))

    class Disk:
        def read(self, path: str) -> bytes | None:
            return {"/a.cuh": b"saved", "/b.cuh": b"disk"}.get(path)

    overlay = MemoryFiles(documents.contents(), Disk())
    assert [overlay.read(path) for path in ("/a.cuh", "/b.cuh", "/c.cuh")] == [b"open", b"disk", None]


def test_the_editor_may_raise_budgets() -> None:
    options = read_options({"kernelSeconds": 30})
    assert not options.problems and settings_with(options, Settings()).kernel_seconds == 30


def test_editor_settings_go_over_the_projects() -> None:
    options = read_options({"warningFactor": 3.5, "values": {"n": 4096}, "default-block": [128], "exclude": []})
    assert options.problems == ()
    settings = settings_with(options, Settings(warning_share=0.5, warning_factor=9))
    assert (settings.warning_factor, settings.warning_share, settings.values["n"]) == (3.5, 0.5, 4096)
    assert settings.default_blocks[0] == (128, 1, 1)


def test_what_is_shown_is_a_matter_of_the_editor() -> None:
    assert read_options({}).display.for_editor(True) == Display(True, False, True, False, True, True)
    assert read_options({}).display.for_editor(False) == Display(False, True, True, False, False, True)
    options = read_options({"codeLens": True, "kernelHint": False, "inlay-hints": False, "steps": True})
    assert options.display.for_editor(False) == Display(True, False, False, True, True, True)
    assert not read_options({"sinceCommit": False}).display.for_editor(True).since_commit
    assert options.toml == b"" and options.problems == ()
    assert read_options({"codeLens": None}).display == Display()
    assert read_options({"steps": 1}).problems == ("setting 'steps': true or false is expected here",)


def test_lenses_are_shown_where_they_are_seen() -> None:
    able = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(code_lens=types.CodeLensClientCapabilities())
    )
    assert from_lsp.shows_lenses(able, types.ClientInfo("Visual Studio Code"))
    assert from_lsp.shows_lenses(able, None)
    assert not from_lsp.shows_lenses(able, types.ClientInfo("Neovim", "0.12"))
    assert not from_lsp.shows_lenses(types.ClientCapabilities(), None)


@pytest.mark.parametrize("data", [None, 7, {"uri": "x"}, {"uri": "x", "revision": "1", "about": 2}])
def test_data_that_is_not_ours_is_nobodys(data: object) -> None:
    assert from_lsp.reference(data) is None


@pytest.mark.parametrize(
    "value", [{"warningFactor": "x"}, {"a b": 1}, {"x\ny": 1}, {"cc": float("nan")}, {"cc": object()}, 7, ["a"]]
)
def test_wrong_settings_are_told_and_left_out(value: object) -> None:
    options = read_options(value)
    assert len(options.problems) == 1
    assert settings_with(options, Settings()) == Settings()
