"""What the connection keeps of messages that it is done with: nothing."""

from __future__ import annotations

import asyncio
from typing import cast

from lsp_server.protocol import Protocol
from lsp_server.server import make_server
from lsp_server.worker import Worker
from tests.server.fake_server import make_fake


async def test_a_notification_is_forgotten_once_it_is_handled() -> None:
    server = make_server(Worker(make_fake))
    protocol, done = cast(Protocol, server.protocol), asyncio.Event()

    async def handler() -> None:
        done.set()

    for number in range(3):
        protocol._execute_handler(f"n{number}", handler, callback=lambda future: None)
    assert len(protocol._request_futures) == 3
    await done.wait()
    await asyncio.sleep(0.05)
    assert not protocol._request_futures
    server.shutdown()
