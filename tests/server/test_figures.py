"""What the editor shows beside findings, over the real server: lenses, hints, the kernel's card, annotations as actions."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.server.session import open_text, replace_text, session, until

BOUNDED = (sys.executable, "-m", "tests.server.bounded_server")

CODE = """// é😀
__global__ void k(float *out, const int *p, int n) {
    int i = threadIdx.x; /* é😀 */ out[i * 8] = 1;
    for (int j = p[i]; j < p[i + 1]; j++) out[j] = 2;
    if (i % 2) out[i * 16] = p[i] * p[i + n];
}
"""

NAME = types.Position(1, CODE.split("\n")[1].index("k("))
WHOLE = types.Range(types.Position(0, 0), types.Position(7, 0))


def identifier(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


async def soon(answer: Any) -> Any:
    return await asyncio.wait_for(answer, 60)


async def refreshed(ask: Callable[[], Any]) -> list[Any]:
    """The answer to a request that is answered empty at first where the analysis takes its time; editors are told to ask again then."""
    found = await soon(ask())
    for _ in range(100):
        if found:
            break
        await asyncio.sleep(0.05)
        found = await soon(ask())
    return list(found or [])


async def hints_of(
    client: LanguageClient, uri: str, area: types.Range = WHOLE
) -> dict[tuple[int, str], types.InlayHint]:
    def ask() -> Any:
        return client.text_document_inlay_hint_async(types.InlayHintParams(identifier(uri), area))

    return {(hint.position.line, str(hint.label)): hint for hint in await refreshed(ask)}


async def lenses_of(client: LanguageClient, uri: str) -> list[types.CodeLens]:
    return await refreshed(lambda: client.text_document_code_lens_async(types.CodeLensParams(identifier(uri))))


async def test_lenses_hints_and_the_card_of_a_kernel() -> None:
    async with session(BOUNDED, lenses=True) as client:
        uri = open_text(client, CODE)
        (lens,) = await lenses_of(client, uri)
        assert lens.command is None and lens.range.start == NAME
        lens = await soon(client.code_lens_resolve_async(lens))
        assert lens.command is not None and lens.command.title == (
            "warp: 32 sectors (ideal) | 124 conflicts | no bound on divergences (sample.cu:1) | most to gain: line 4"
        )
        found = await hints_of(client, uri)
        assert {line for line, _ in found} == {2, 3, 4}
        strided = found[2, "32 sectors (8x)"]
        line = CODE.split("\n")[2]
        assert strided.position.character == len(line.encode("utf-16-le")) // 2 and strided.padding_left
        strided = await soon(client.inlay_hint_resolve_async(strided))
        assert isinstance(strided.tooltip, types.MarkupContent)
        assert strided.tooltip.value.startswith("**Each warp touches 32 sectors")
        assert (3, "iterations unknown") in found and (4, "diverges: 16 of 32 active") in found
        part = await hints_of(client, uri, types.Range(types.Position(3, 0), types.Position(4, 0)))
        assert {line for line, _ in part} == {3}
        card = await soon(client.text_document_hover_async(types.HoverParams(identifier(uri), NAME)))
        assert card is not None and isinstance(card.contents, types.MarkupContent)
        assert card.contents.value.startswith("**k** · most expensive warp: **32 sectors** (ideal), **124 bank")
        assert "| steps" not in card.contents.value


async def test_lenses_and_hints_of_before_are_answered_until_there_are_new_ones() -> None:
    async with session(BOUNDED, lenses=True) as client:
        uri = open_text(client, CODE)
        (lens,) = await lenses_of(client, uri)
        hint = next(iter((await hints_of(client, uri)).values()))
        replace_text(client, uri, 2, "\n" + CODE)
        old = await soon(client.code_lens_resolve_async(lens))
        assert old.command is not None and old.command.title.endswith("(sample.cu:1) | most to gain: line 5")
        assert (await soon(client.inlay_hint_resolve_async(hint))).tooltip is not None

        async def newer() -> list[types.CodeLens]:
            return [new for new in await lenses_of(client, uri) if new.data["revision"] != lens.data["revision"]]

        (new,) = await refreshed(newer)
        assert new.range.start.line == 2
        lens = await soon(client.code_lens_resolve_async(lens))
        assert lens.command is not None and lens.command.title == "warp: ...", "there is something newer"
        assert (await soon(client.inlay_hint_resolve_async(hint))).tooltip == hint.tooltip


async def test_what_is_shown_can_be_chosen() -> None:
    options = {"codeLens": False, "inlayHints": False, "steps": True}
    async with session(BOUNDED, lenses=True, options=options) as client:
        uri = open_text(client, CODE)
        assert await lenses_of(client, uri) == []
        (line, label), *others = await hints_of(client, uri)
        assert line == 1 and label.startswith("warp: 32 sectors") and not others
        card = await soon(client.text_document_hover_async(types.HoverParams(identifier(uri), NAME)))
        assert card is not None and "| steps" in card.contents.value
    async with session(BOUNDED) as client:  # an editor that shows no lenses
        uri = open_text(client, CODE)
        assert any(label.startswith("warp: ") for _, label in await hints_of(client, uri))


async def test_annotations_are_offered_at_the_loop() -> None:
    async with session(BOUNDED) as client:
        uri = open_text(client, CODE)
        context = types.CodeActionContext([])

        async def at(line: int) -> list[types.CodeAction]:
            place = types.Position(line, 6)
            params = types.CodeActionParams(identifier(uri), types.Range(place, place), context)
            actions = list(await soon(client.text_document_code_action_async(params)) or [])
            return [one for one in actions if "as a contract" not in one.title]

        assert await at(2) == []
        (action,) = await at(3)
        start = "Insert '//@ loop_bound 64': cap the iterations T4 of this loop, sectors "
        assert action.title.startswith(start) and "T4 -> <= " in action.title.removeprefix(start)
        assert action.edit is not None and action.edit.document_changes is not None
        (change,) = action.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
        (edit,) = change.edits
        assert edit.range.start == edit.range.end == types.Position(3, 0)
        assert edit.new_text == "    //@ loop_bound 64\n"  # type: ignore[union-attr]
        replace_text(client, uri, 2, CODE.replace("    for", "    //@ loop_bound 64\n    for"))
        assert await at(4) == []


async def test_a_click_on_a_lens_shows_where_most_is_to_gain() -> None:
    async with session(BOUNDED, lenses=True) as client:
        uri = open_text(client, CODE)
        (lens,) = await lenses_of(client, uri)
        command = (await soon(client.code_lens_resolve_async(lens))).command
        assert command.command == "warpcost.showLine" and tuple(command.arguments) == (uri, 4)
        for arguments in (command.arguments, ["what", "else"], []):
            params = types.ExecuteCommandParams(command.command, arguments)
            await soon(client.workspace_execute_command_async(params))
        (shown,) = client.shown_documents
        assert shown.uri == uri and shown.selection is not None and shown.selection.start.line == 3


async def test_what_is_shown_is_asked_for_again_when_settings_change() -> None:
    async with session(BOUNDED, lenses=True) as client:
        asked: list[str] = []

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def lenses_again(*_: object) -> None:
            asked.append("lenses")

        @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def hints_again(*_: object) -> None:
            asked.append("hints")

        uri = open_text(client, CODE)
        assert len(await lenses_of(client, uri)) == 1
        asked.clear()  # what a first answer that was empty asked for
        settings = {"warpcost": {"codeLens": False}}
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
        await until(lambda: sorted(asked) == ["hints", "lenses"], 60)
        assert not await soon(client.text_document_code_lens_async(types.CodeLensParams(identifier(uri))))
