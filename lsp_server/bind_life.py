"""Handshake, settings, files that change on the disk, the end."""

from __future__ import annotations

import logging

from lsprotocol import types

from lsp_server import answers, from_lsp, to_lsp
from lsp_server.documents import path_of
from lsp_server.progress import AnalysisProgress
from lsp_server.state import Server

_LOG = logging.getLogger("warpcost.server")


def bind(server: Server) -> None:
    """Registers the handlers."""

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.links = from_lsp.follows_links(params.client_info)
        ls.shows_lenses = from_lsp.shows_lenses(params.capabilities, params.client_info)
        ls.use_options(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _: types.InitializedParams) -> None:
        ls.worker.start()
        answers.load()  # The worker has not started yet.
        if from_lsp.shows_progress(ls.client_capabilities):
            AnalysisProgress(ls).watch()
        ls.status.tell()
        ls.scans.again()
        await _register(ls)
        await _ask_for_options(ls)

    @server.feature(types.SHUTDOWN)
    def goodbye(ls: Server, *_: object) -> None:
        ls.said_goodbye = True

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if not await _ask_for_options(ls):
            ls.use_options(from_lsp.own_section(params.settings))
            ls.analyse_all()
            ls.status.tell()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
        for folder in params.event.removed:
            ls.options_of_folder.pop(path_of(folder.uri), None)
        ls.scans.again()
        ls.analyse_all()  # What may be read has changed.
        await _ask_for_options(ls)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        paths = {path_of(change.uri) for change in params.changes}
        ls.scans.again()
        if any(from_lsp.is_settings_file(path) for path in paths):
            ls.analyse_all()
            return
        ls.analyse_dependents(paths, come=True)


async def _register(ls: Server) -> None:
    """Asks to be told of changes of settings and of files, where that has to be asked for."""
    wanted = to_lsp.registrations(
        configuration=from_lsp.registers_configuration(ls.client_capabilities),
        files=from_lsp.registers_watched_files(ls.client_capabilities),
    )
    if wanted.registrations:
        try:
            await ls.client_register_capability_async(wanted)
        except Exception as error:  # The client may refuse; saving still tells.
            _LOG.warning("the client registers nothing: %s", error)


async def _ask_for_options(ls: Server) -> bool:
    """Fetches the editor's settings if it can be asked, those of each workspace folder too; whether it could."""
    if not from_lsp.answers_configuration(ls.client_capabilities):
        return False
    folders = sorted(ls.workspace.folders)
    try:
        answers = await ls.workspace_configuration_async(to_lsp.configuration_request(folders))
    except Exception as error:  # It says no, or something that is no list.
        _LOG.warning("the client does not tell its settings: %s", error)
        return False
    if not answers:
        return True
    if answers[0] is not None:
        ls.use_options(answers[0])
    for folder, value in zip(folders, answers[1:], strict=False):
        if value is not None:
            ls.use_options(value, path_of(folder))
        else:
            ls.options_of_folder.pop(path_of(folder), None)
    ls.analyse_all()
    return True
