"""A client for the tests: pytest-lsp's, with the capabilities of today's editors laid over."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types
from pytest_lsp import LanguageClient, make_test_lsp_client

ROOT = Path(__file__).resolve().parents[2]
FAKE = (sys.executable, "-m", "tests.server.fake_server")
REAL = (sys.executable, "-m", "lsp_server", "--stdio")


def capabilities(
    encodings: tuple[str, ...] = ("utf-16",), pull: bool = False, lenses: bool = False
) -> types.ClientCapabilities:
    """What a client says of itself; `pull`: it asks for diagnostics, as VS Code and Neovim do; `lenses`: it shows them."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=list(encodings)),
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
            diagnostic=types.DiagnosticClientCapabilities() if pull else None,
            code_lens=types.CodeLensClientCapabilities() if lenses else None,
        ),
        workspace=types.WorkspaceClientCapabilities(
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=lenses),
            inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=lenses),
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=pull),
        ),
        window=types.WindowClientCapabilities(
            show_document=types.ShowDocumentClientCapabilities(support=True) if lenses else None
        ),
    )


@asynccontextmanager
async def session(
    command: tuple[str, ...] = FAKE,
    encodings: tuple[str, ...] = ("utf-16",),
    pull: bool = False,
    options: object = None,
    environment: dict[str, str] | None = None,
    lenses: bool = False,
) -> AsyncIterator[LanguageClient]:
    """A running server after the handshake; it is asked to leave at the end."""
    client = make_test_lsp_client()
    client.diagnostics = History()
    await client.start_io(*command, cwd=str(ROOT), env={**os.environ, **(environment or {})})
    params = types.InitializeParams(
        process_id=os.getpid(),
        capabilities=capabilities(encodings, pull, lenses),
        initialization_options=options,  # type: ignore[arg-type]
    )
    try:
        await asyncio.wait_for(client.initialize_session(params), 20)
        yield client
        if client._server is not None and client._server.returncode is None:
            await asyncio.wait_for(client.shutdown_session(), 20)
    finally:
        if client._server is not None and client._server.returncode is None:
            client._server.kill()  # the test failed: the client would wait for a server that waits for it
        await client.stop()


def open_text(client: LanguageClient, text: str, uri: str = "file:///t/a.cu", version: int = 1) -> str:
    item = types.TextDocumentItem(uri=uri, language_id="cuda-cpp", version=version, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return uri


def replace_text(client: LanguageClient, uri: str, version: int, text: str) -> None:
    change = types.TextDocumentContentChangeWholeDocument(text)
    identifier = types.VersionedTextDocumentIdentifier(version=version, uri=uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))


def edit(
    client: LanguageClient, uri: str, version: int, start: tuple[int, int], end: tuple[int, int], text: str
) -> None:
    area = types.Range(types.Position(*start), types.Position(*end))
    change = types.TextDocumentContentChangePartial(range=area, text=text)
    identifier = types.VersionedTextDocumentIdentifier(version=version, uri=uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))


class History(dict[str, Sequence[types.Diagnostic]]):
    """The client's store of diagnostics, which also remembers every publication in order."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[str, list[types.Diagnostic]]] = []

    def __setitem__(self, uri: str, found: Sequence[types.Diagnostic]) -> None:
        super().__setitem__(uri, found)
        self.all.append((uri, list(found)))


def publications(client: LanguageClient, uri: str) -> list[list[types.Diagnostic]]:
    """Everything that was pushed for a document so far."""
    assert isinstance(client.diagnostics, History)
    return [found for at, found in client.diagnostics.all if at == uri]


async def until(true: Callable[[], bool], within: float = 20.0) -> None:
    """Waits for a condition; fails if it does not come true."""
    end = asyncio.get_running_loop().time() + within
    while not true():
        assert asyncio.get_running_loop().time() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


async def pushed(client: LanguageClient, uri: str, count: int = 1, within: float = 20.0) -> list[types.Diagnostic]:
    """The `count`-th diagnostics that were pushed for a document, awaited."""
    await until(lambda: len(publications(client, uri)) >= count, within)
    return publications(client, uri)[count - 1]


def columns(diagnostic: types.Diagnostic) -> tuple[int, int, int]:
    """Line, first and last column."""
    area = diagnostic.range
    assert area.start.line == area.end.line
    return area.start.line, area.start.character, area.end.character
