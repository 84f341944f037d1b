// The client of the protocol, for one server.

import { type LogOutputChannel, Uri } from 'vscode';
import {
  type Executable,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type StaticFeature,
} from 'vscode-languageclient/node';
import type { Start } from './find_server';
import { SHOW_RULE, withLinks, withPages } from './rules';
import { TOLD } from './selector';
import { chosenSettings, SECTION } from './settings';
import type { ServerStatus } from './status';
import { OPEN_SHAPES, OPEN_WHY } from './texts';

/** Tells the server which commands this extension carries out itself: they stand behind code actions. */
const ownCommands: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...capabilities.experimental, commands: { commands: [SHOW_RULE, OPEN_WHY, OPEN_SHAPES] } };
  },
  initialize: () => {},
  getState: () => ({ kind: 'static' }),
  clear: () => {},
};

/** A client that is not started yet; `extension`: where this one lies; `says` is told whatever the server says of itself. */
export function makeClient(
  start: Start,
  log: LogOutputChannel,
  extension: Uri,
  says: (status: ServerStatus) => void,
): LanguageClient {
  const server: Executable = { command: start.command, args: start.args };
  const options: LanguageClientOptions = {
    documentSelector: TOLD,
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: chosenSettings(),
    synchronize: { configurationSection: SECTION },
    middleware: {
      handleDiagnostics: (uri, diagnostics, next) => next(uri, withPages(extension, diagnostics)),
      provideDiagnostics: async (document, previous, token, next) => {
        const report = await next(document, previous, token);
        if (report && 'items' in report) {
          withPages(extension, report.items);
        }
        return report;
      },
      provideHover: async (document, position, token, next) =>
        withLinks(document, position, await next(document, position, token)),
      workspace: {
        // The server asks for its section; it is given what the user chose, not the defaults of all settings.
        configuration: (params) =>
          params.items.map((item) =>
            item.section === SECTION ? chosenSettings(item.scopeUri ? Uri.parse(item.scopeUri) : undefined) : null,
          ),
        didChangeConfiguration: (_sections, next) => next([SECTION]),
      },
    },
  };
  const client = new LanguageClient(SECTION, 'warpcost', server, options);
  client.registerFeature(ownCommands);
  client.onNotification('warpcost/status', says);
  return client;
}
