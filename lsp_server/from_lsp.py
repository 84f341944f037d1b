"""Protocol values to ours: the only reader of what a client sends, positions and encodings included."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from analysis_core.text.line_index import LineIndex
from lsp_server.documents import holds_settings
from lsp_server.encoding import Encoding


def encoding(chosen: types.PositionEncodingKind | str | None) -> Encoding:
    """The encoding that was agreed on; UTF-16 where nothing was said."""
    if chosen is None:
        return Encoding.UTF16
    return Encoding(chosen.value if isinstance(chosen, types.PositionEncodingKind) else chosen)


def offset(index: LineIndex, position: types.Position, unit: Encoding) -> int:
    """The byte that a position means; positions past the end of a line or the text are its end."""
    line = position.line + 1
    if line > index.line_count:
        return len(index.data)
    match unit:
        case Encoding.UTF8:
            return index.offset(line, position.character + 1)
        case Encoding.UTF16:
            return index.offset_of_utf16(line, position.character)
        case Encoding.UTF32:
            return index.offset_of_code_point(line, position.character)


def pulls_diagnostics(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client asks for diagnostics itself, and can be told that those it has are out of date: bounds come later, and other
    files change.  It would show pushed ones a second time; to any other they are pushed."""
    document, workspace = capabilities.text_document, capabilities.workspace
    told = workspace is not None and workspace.diagnostics is not None and bool(workspace.diagnostics.refresh_support)
    return told and document is not None and document.diagnostic is not None


def refreshes_lenses(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client can be told to ask for code lenses again."""
    lens = capabilities.workspace.code_lens if capabilities.workspace is not None else None
    return lens is not None and bool(lens.refresh_support)


def refreshes_hints(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client can be told to ask for inlay hints again."""
    hint = capabilities.workspace.inlay_hint if capabilities.workspace is not None else None
    return hint is not None and bool(hint.refresh_support)


def shows_lenses(capabilities: types.ClientCapabilities, client: types.ClientInfo | None) -> bool:
    """Whether code lenses are seen unless the user says otherwise: Neovim can show them, but only on request."""
    document = capabilities.text_document
    able = document is not None and document.code_lens is not None
    return able and "vim" not in (client.name.lower() if client is not None else "")


def follows_links(client: types.ClientInfo | None) -> bool:
    """Whether links on a card can be followed.  Neovim hides their addresses, but breaks lines as if they were seen."""
    return "vim" not in (client.name.lower() if client is not None else "")


def shows_documents(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client can be asked to show a place."""
    show = capabilities.window.show_document if capabilities.window is not None else None
    return show is not None and show.support


def resolves_edits(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client asks for the edit of an action once it is chosen."""
    document = capabilities.text_document
    action = document.code_action if document is not None else None
    able = action is not None and bool(action.data_support) and action.resolve_support is not None
    return able and "edit" in action.resolve_support.properties  # type: ignore[union-attr]


def shows_disabled(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client shows actions that cannot be done, with the reason."""
    action = capabilities.text_document.code_action if capabilities.text_document is not None else None
    return action is not None and bool(action.disabled_support)


def creates_files(capabilities: types.ClientCapabilities) -> bool:
    """Whether an edit may make a new file."""
    workspace = capabilities.workspace
    edit = workspace.workspace_edit if workspace is not None else None
    made = edit.resource_operations if edit is not None and edit.document_changes else None
    return types.ResourceOperationKind.Create in (made or ())


def commands_of(capabilities: types.ClientCapabilities) -> frozenset[str]:
    """The commands that the client says it carries out itself, as other clients say it too: `{"commands": {"commands": [name, ..]}}` of what
    is experimental."""
    match capabilities.experimental:
        case {"commands": {"commands": [*names]}}:
            return frozenset(name for name in names if isinstance(name, str))
        case _:
            return frozenset()


def answers_configuration(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client can be asked for its settings."""
    return capabilities.workspace is not None and bool(capabilities.workspace.configuration)


def reference(data: object) -> tuple[str, int, int] | None:
    """The document, its revision and the byte that an unresolved lens or hint is about; None for what is not ours."""
    match data:
        case {"uri": str(uri), "revision": int(revision), "about": int(about)}:
            return uri, revision, about
        case _:
            return None


def place_argument(arguments: Sequence[object] | None) -> tuple[str, int] | None:
    """The URI and 1-based line that the command to show a place is called with."""
    match arguments:
        case [str(uri), int(line)]:
            return uri, line
        case _:
            return None


def shows_progress(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client shows progress that the server begins."""
    return capabilities.window is not None and bool(capabilities.window.work_done_progress)


def registers_configuration(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client wants to be asked before it tells of changed settings."""
    workspace = capabilities.workspace
    changed = None if workspace is None else workspace.did_change_configuration
    return changed is not None and bool(changed.dynamic_registration)


def registers_watched_files(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client can be asked to watch files."""
    workspace = capabilities.workspace
    watched = None if workspace is None else workspace.did_change_watched_files
    return watched is not None and bool(watched.dynamic_registration)


def is_settings_file(path: str) -> bool:
    """Whether a file may hold settings of a project, or says how its files are compiled."""
    return holds_settings(path) or path.rpartition("/")[2] == "compile_commands.json"


def uri_argument(arguments: Sequence[object] | None) -> str | None:
    """The URI that a command is called with."""
    match arguments:
        case [str(uri), *_]:
            return uri
        case _:
            return None


def line_argument(arguments: Sequence[object] | None) -> int:
    """The 1-based line that a command is called with behind the URI; 0 for none."""
    match arguments:
        case [str(), int(line), *_] if not isinstance(line, bool) and line > 0:
            return line
        case _:
            return 0


def stage_arguments(arguments: Sequence[object] | None) -> tuple[str, str, str | None] | None:
    """The URI, the stage and the kernel (None: all) that the command to show stages is called with."""
    match arguments:
        case [str(uri), str(stage)] | [str(uri), str(stage), None]:
            return uri, stage, None
        case [str(uri), str(stage), str(kernel)]:
            return uri, stage, kernel
        case _:
            return None


def own_section(settings: object) -> object:
    """The part named "warpcost" of settings that a client sends for all servers at once."""
    return settings.get("warpcost") if isinstance(settings, dict) else None


def wants_menu(context: types.CodeActionContext, one_list: bool) -> bool:
    """Whether all refactorings are asked for: by the menu of them, or by hand in an editor that has `one_list` for all that can be done; not what is
    asked at every move of the cursor, nor the list of a light bulb."""
    if context.only is not None:
        return any(str(getattr(kind, "value", kind)).startswith("refactor") for kind in context.only)
    return one_list and context.trigger_kind is types.CodeActionTriggerKind.Invoked
