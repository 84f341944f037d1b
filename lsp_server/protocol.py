"""JSON-RPC for clients that make mistakes: every request is answered, every answer is taken, whatever is in it.

pygls drops what it cannot read, and whoever waits for it waits for ever: the client for its answer, a handler for the client's.  What is
said of texts is handed on as it came (text_changes.py), and pygls keeps no texts of its own.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Generator, Hashable
from typing import Any

from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification
from pygls.protocol.language_server import lsp_method

from lsp_server.from_lsp import pulls_diagnostics
from lsp_server.pending import Pending
from lsp_server.text_changes import ABOUT_TEXTS

_DOCUMENTS = ("textDocument/did", "notebookDocument/did")


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, with answers to malformed messages."""

    def _register_builtin_features(self) -> None:
        """pygls's, without what it does with documents: it changes the positions in place before ours see them, and splits lines as Python
        does."""
        super()._register_builtin_features()  # type: ignore[no-untyped-call]
        for method in [name for name in self.fm.builtin_features if name.startswith(_DOCUMENTS)]:
            del self.fm.builtin_features[method]

    @lsp_method("initialize")
    def lsp_initialize(self, params: Any) -> Generator[Any, Any, Any]:
        """The answer of pygls, except that pulled diagnostics are not offered to clients that cannot be told when
        these are out of date."""
        result = yield from super().lsp_initialize(params)
        if not pulls_diagnostics(self.client_capabilities):
            result.capabilities.diagnostic_provider = None
        return result

    @property
    def is_ready(self) -> bool:
        """Whether the handshake has been completed."""
        return self._workspace is not None

    def __init__(self, *args: Any) -> None:
        self.pending = Pending()
        self.texts: Callable[[], object] = lambda: None
        """What changes with every text."""
        self.before: Callable[[], None] = lambda: None
        """Done before each message."""
        self._asked: tuple[Any, Hashable] = (None, None)
        super().__init__(*args)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Reads one object of JSON, the whole message or a part of one."""
        if "jsonrpc" in data and data.get("method") in ABOUT_TEXTS and "id" not in data:
            return JsonRPCNotification(data["method"], data["jsonrpc"], data.get("params"))
        try:
            return super().structure_message(data)
        except Exception as error:
            self._refuse(data, error)
            raise

    def handle_message(self, message: Any) -> None:
        """What is no message is refused: batches too, of which the language server protocol has none."""
        if self.is_ready:
            self.before()
        if not hasattr(message, "jsonrpc"):
            self.answer_nobody(JsonRpcInvalidRequest())
            return
        refusal = self._out_of_order(message.method) if hasattr(message, "method") else None
        if refusal is not None:
            if isinstance(getattr(message, "id", None), int | str):
                self._send_response(message.id, error=refusal.to_response_error())
            return
        super().handle_message(message)

    @lsp_method("workspace/executeCommand")
    async def lsp_workspace__execute_command(self, params: Any) -> Any:  # type: ignore[override]
        """pygls's would go on with a command after it was cancelled.  Ours take their arguments as they come."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        result = handler(*(params.arguments or ()))
        return await result if inspect.isawaitable(result) else result

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        """Notes what is asked, of which texts: the same later is another question."""
        self._asked = msg_id, (method_name, repr(params), self.texts())
        super()._handle_request(msg_id, method_name, params)

    def _execute_handler(self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None) -> None:
        """pygls keeps what waits for an answer until that is sent, and so for ever what a notification began: nobody answers those."""
        asked, question = self._asked
        if msg_id == asked and inspect.iscoroutinefunction(handler):
            answer = self.pending.ask(question, lambda: handler(*(args or ()), **(kwargs or {})))
            self._request_futures[msg_id] = answer  # type: ignore[assignment]
            answer.add_done_callback(callback)
            return
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def answer_nobody(self, error: JsonRpcException) -> None:
        """Sends an error about a message whose number cannot be read."""
        self._send_data({"jsonrpc": "2.0", "id": None, "error": {"code": error.code, "message": error.message}})

    def unreadable(self, error: Exception) -> None:
        """Answers a message that was no JSON."""
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
            self.answer_nobody(JsonRpcParseError())

    def _out_of_order(self, method: str) -> JsonRpcException | None:
        if method == "exit":
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server has been shut down")
        if self._workspace is None and method != "initialize":
            return JsonRpcServerNotInitialized("the server has not been initialized")
        return None

    def _refuse(self, data: dict[str, Any], error: Exception) -> None:
        number = data.get("id")
        if not isinstance(number, int | str) or isinstance(number, bool):
            return
        if "method" in data:
            wrong = JsonRpcInvalidParams(f"{data['method']} with parameters of the wrong form")
            self._send_response(number, error=wrong.to_response_error())
            return
        future = self._request_futures.pop(number, None)
        if future is not None and not future.done():
            future.set_exception(JsonRpcInvalidParams(f"the client's answer has the wrong form: {error}"))
