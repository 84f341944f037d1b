"""The actions that a client was told of last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analysis_core.text.records import dataclass
from lsp_server.documents import Document

if TYPE_CHECKING:
    from lsp_server.features.code_actions import Action


@dataclass(frozen=True, slots=True)
class Offered:
    """The last list of actions, and the text that they are edits of; `others`: other files that they edit, with their texts (None: to be
    made)."""

    document: Document
    actions: tuple[Action, ...]
    others: Mapping[str, bytes | None]
