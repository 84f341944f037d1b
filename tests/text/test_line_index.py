"""Lines end where editors end them, and columns count what their name says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.text.line_index import LineIndex
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId, Span


def test_line_ends() -> None:
    index = LineIndex.of(b"a\nb\r\nc\rd\n\re")
    assert [index.line_text(line) for line in range(1, index.line_count + 1)] == ["a", "b", "c", "d", "", "e"]


def test_form_feed_and_line_separator_end_no_line() -> None:
    index = LineIndex.of("a\f\vb\u2028c\u2029d\x85e\n".encode())
    assert index.line_count == 2
    assert index.line_of(len("a\f\vb\u2028c".encode())) == 1


def test_columns_of_bytes_code_points_and_utf16() -> None:
    data = "x = 'é😀'; y\n".encode()
    index = LineIndex.of(data)
    offset = data.index(b"y")
    assert index.position(offset) == (1, 15)
    assert index.code_point_column(offset) == 10
    assert index.utf16_column(offset) == 11
    assert index.offset_of_code_point(1, 10) == offset
    assert index.offset_of_utf16(1, 11) == offset


def test_a_column_inside_of_a_character_is_its_start() -> None:
    data = "é😀z".encode()
    index = LineIndex.of(data)
    for inside in (3, 4, 5):
        assert index.code_point_column(inside) == 1
        assert index.utf16_column(inside) == 1
    assert index.utf16_column(6) == 3
    assert index.offset_of_utf16(1, 2) == 2


def test_invalid_bytes_count_one_each() -> None:
    data = b"\xff\x80\x80\x80\x80\xe2\x82z\xc3"
    index = LineIndex.of(data)
    assert index.code_point_column(7) == 7
    assert index.code_point_column(len(data)) == len(data)
    assert index.offset_of_utf16(1, 7) == 7


def test_offsets_outside_are_clipped() -> None:
    index = LineIndex.of(b"ab\r\ncd")
    assert index.position(99) == (2, 3)
    assert index.position(-1) == (1, 1)
    assert index.offset(1, 99) == 2
    assert index.offset(99, 1) == 4
    assert LineIndex.of(b"").position(0) == (1, 1)


@given(st.binary(max_size=60))
def test_positions_go_there_and_back(data: bytes) -> None:
    index = LineIndex.of(data)
    for offset in range(len(data) + 1):
        line, column = index.position(offset)
        start, end = index.line_range(line)
        if offset <= end:  # else inside of the line's end
            assert index.offset(line, column) == offset
        assert start <= offset


@given(st.text(max_size=30))
def test_columns_go_there_and_back(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    index = LineIndex.of(data)
    offset = 0
    for char in text:
        line = index.line_of(offset)
        if offset <= index.line_range(line)[1] and not "\ud800" <= char <= "\udfff":
            assert index.offset_of_utf16(line, index.utf16_column(offset)) == offset
            assert index.offset_of_code_point(line, index.code_point_column(offset)) == offset
        offset += len(char.encode("utf-8", "surrogatepass"))


@given(st.binary(max_size=60))
def test_a_source_keeps_any_bytes(data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    source = SourceText.from_bytes(FileId("a.cu"), data)
    assert source.data == data
    assert source.text(Span(source.file, 0, len(data))).encode("utf-8", "surrogateescape") == data


@pytest.mark.parametrize(("mark", "codec"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_utf16_is_transcoded_and_says_so(mark: bytes, codec: str) -> None:
    source = SourceText.from_bytes(FileId("a.cu"), mark + "int é😀;".encode(codec))
    assert source.transcoded
    assert source.data == "int é😀;".encode()
    assert not SourceText.from_bytes(FileId("a.cu"), b"\xef\xbb\xbfint").transcoded
