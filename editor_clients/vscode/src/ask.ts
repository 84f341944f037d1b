// Questions to the server about a whole file.

import { type Uri, window } from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';

/** The server's commands: a page, text (of a stage or a line, the second argument), JSON. */
type Question = 'warpcost.kernelReport' | 'warpcost.showStages' | 'warpcost.exportJson' | 'warpcost.explainLine' | 'warpcost.compareShapes';

/** Asks the server about a document; says so and gives nothing where there is no answer. */
export async function ask(
  client: LanguageClient | undefined,
  question: Question,
  uri: Uri,
  ...more: (string | number)[]
): Promise<string | undefined> {
  if (!client?.isRunning()) {
    void window.showWarningMessage('warpcost is not running; its status item says why.');
    return undefined;
  }
  const known = client.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  if (!known.includes(question)) {
    void window.showWarningMessage(`This server of warpcost does not know ${question}; it may be older than the extension.`);
    return undefined;
  }
  const params = { command: question, arguments: [client.code2ProtocolConverter.asUri(uri), ...more] };
  try {
    return String(await client.sendRequest(ExecuteCommandRequest.type, params));
  } catch (error) {
    void window.showWarningMessage(`warpcost: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** The file that a command is about. */
export function activeDocument(): Uri | undefined {
  const uri = window.activeTextEditor?.document.uri;
  if (!uri) {
    void window.showInformationMessage('Open a CUDA file first.');
  }
  return uri;
}
