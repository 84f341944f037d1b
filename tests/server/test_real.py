"""The server with the real analysis: what a user sees on opening a file and hovering over an access."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.server.session import REAL, ROOT, columns, edit, open_text, publications, pushed, session, until

KERNEL = """// é😀
__global__ void k(float *out, const float *in, int n) {
    int i = threadIdx.x; /* é😀 */ out[i * 8] = in[i];
    if (i % 2) out[i] = in[i] * in[i + n];
}
void run(float *out, const float *in, int n) { k<<<1, 256>>>(out, in, n); }
"""


def place_of(text: str, needle: str) -> types.Position:
    """Where a piece of the text starts, in UTF-16 units."""
    before = text[: text.index(needle)].split("\n")
    return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)


async def hover_at(client: LanguageClient, uri: str, position: types.Position) -> types.Hover | None:
    params = types.HoverParams(types.TextDocumentIdentifier(uri), position)
    return await asyncio.wait_for(client.text_document_hover_async(params), 20)


async def test_findings_and_hover() -> None:
    async with session(REAL) as client:
        uri = open_text(client, KERNEL)
        found = {(d.code, columns(d)[0]): d for d in await pushed(client, uri)}
        start = place_of(KERNEL, "out[i * 8]")
        strided = found["WC101", 2]
        assert columns(strided) == (2, start.character, start.character + len("out[i * 8]"))
        assert strided.message.startswith(
            "Uncoalesced store to 'out': each warp touches 32 sectors where 4 would do (8x)."
        )
        assert strided.related_information is not None
        card = await hover_at(client, uri, types.Position(start.line, start.character + 3))
        assert card is not None and card.range == strided.range
        assert isinstance(card.contents, types.MarkupContent)
        assert card.contents.kind is types.MarkupKind.Markdown
        assert card.contents.value.startswith("**Each warp touches 32 sectors where 4 would do (8x)**")
        branch = await hover_at(client, uri, place_of(KERNEL, "i % 2"))
        assert branch is not None and "Splits the warp" in str(branch.contents)
        assert await hover_at(client, uri, types.Position(0, 0)) is None


async def test_a_change_changes_the_findings() -> None:
    async with session(REAL) as client:
        uri = open_text(client, KERNEL)
        before = await pushed(client, uri)
        start = place_of(KERNEL, " * 8]")
        edit(client, uri, 2, (start.line, start.character), (start.line, start.character + 4), "")
        after = await pushed(client, uri, 2)
        assert ("WC101", 2) in {(d.code, columns(d)[0]) for d in before}
        assert ("WC101", 2) not in {(d.code, columns(d)[0]) for d in after}
        card = await hover_at(client, uri, place_of(KERNEL, "out[i * 8]"))
        assert card is not None and "**Each warp touches 4 sectors, the ideal**" in str(card.contents)


async def test_an_annotation_changes_what_is_shown() -> None:
    text = "__global__ void k(float *out, int n) {\n    for (int i = 0; i < n; i++) out[threadIdx.x + n] = i;\n}\n"
    place = place_of(text, "out[threadIdx.x + n]")
    async with session(REAL) as client:
        uri = open_text(client, text)
        await pushed(client, uri)
        before = await hover_at(client, uri, place)
        assert before is not None and "**Each warp touches 5 sectors" in str(before.contents)
        edit(client, uri, 2, (0, 0), (0, 0), "//@ assume n % 8 == 0 && n <= 4096\n//@ launch block=(64)\n")
        await pushed(client, uri, 2)
        after = await hover_at(client, uri, types.Position(place.line + 2, place.character))
        assert after is not None
        shown = str(after.contents)
        assert "**Each warp touches 4 sectors, the ideal**" in shown and "n % 8 == 0" in shown and "block 64" in shown
        edit(client, uri, 3, (0, 0), (0, 9), "//@ asume")
        assert "WC901" in {d.code for d in await pushed(client, uri, 3)}


async def test_half_typed_code_is_no_trouble() -> None:
    async with session(REAL) as client:
        uri = open_text(client, KERNEL)
        await pushed(client, uri)
        start = place_of(KERNEL, "if (i % 2)")
        edit(client, uri, 2, (start.line, start.character), (start.line, 99), "for (int j = 0; j <")
        after = await pushed(client, uri, 2)
        assert ("WC101", 2) in {(d.code, columns(d)[0]) for d in after}


async def test_what_is_wrong_in_a_settings_file_is_told_in_that_file(tmp_path: Path) -> None:
    settings = tmp_path / "warpcost.toml"
    settings.write_text("warning-shar = 0.5\n[levels]\nWC101 = 'off'\n")
    async with session(REAL) as client:
        uri = open_text(client, KERNEL, (tmp_path / "a.cu").as_uri())
        assert "WC101" not in {d.code for d in await pushed(client, uri)}
        (wrong,) = client.diagnostics[settings.as_uri()]
        assert (wrong.code, columns(wrong)) == ("WC903", (0, 0, len("warning-shar")))
        assert "did you mean 'warning-share'?" in wrong.message
        settings.write_text("[levels]\nWC101 = 'off'\n")
        edit(client, uri, 2, (0, 0), (0, 0), " ")
        await until(lambda: not client.diagnostics[settings.as_uri()])
        edit(client, uri, 3, (0, 0), (0, 0), " ")
        await until(lambda: len(publications(client, uri)) == 3)
        assert len(publications(client, settings.as_uri())) == 2


async def test_an_open_header_is_read_from_its_buffer(tmp_path: Path) -> None:
    header, source = tmp_path / "pitch.cuh", tmp_path / "a.cu"
    header.write_text("#define PITCH 1\n")
    text = '#include "pitch.cuh"\n__global__ void k(float *a) {\n    a[threadIdx.x * PITCH] = 0;\n}\n'
    async with session(REAL) as client:
        uri = open_text(client, text, source.as_uri())

        def last() -> list[str]:
            return [str(found.code) for found in publications(client, uri)[-1]]

        assert await pushed(client, uri) == []
        open_text(client, "#define PITCH 8\n", header.as_uri())
        await until(lambda: last() == ["WC101"], 20.0)
        edit(client, header.as_uri(), 2, (0, 14), (0, 15), "1")
        await until(lambda: last() == [], 20.0)


@pytest.mark.parametrize("command", [["-m", "lsp_server"], ["-m", "analysis_core.main"]])
def test_the_version_is_told(command: list[str]) -> None:
    done = subprocess.run([sys.executable, *command, "--version"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("warpcost ")


def test_the_log_goes_where_it_is_asked_to(tmp_path: Path) -> None:
    log = tmp_path / "log"
    garbage = b"Content-Length: 5\r\n\r\n{{{{{"
    command = [*REAL, "--log-file", str(log)]
    done = subprocess.run(command, cwd=ROOT, input=garbage, capture_output=True, check=False, timeout=20)
    assert done.returncode == 1
    assert "JSON" in log.read_text() and b"JSON" not in done.stderr


async def test_the_report_is_a_page() -> None:
    async with session(REAL) as client:
        uri = open_text(client, KERNEL)
        await pushed(client, uri)
        asked = types.ExecuteCommandParams("warpcost.kernelReport", [uri])
        page = await client.workspace_execute_command_async(asked)
        assert isinstance(page, str) and page.startswith("<!DOCTYPE html>")
        assert "out[i * 8]" in page
