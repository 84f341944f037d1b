// The kernel report in a panel beside the source, and what else the server gives of a whole file.

import { commands, type Disposable, Position, Range, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';

/** The server's commands: a page, text (of a stage, the second argument), JSON. */
type Question = 'warpcost.kernelReport' | 'warpcost.showStages' | 'warpcost.exportJson';

/** What the page tells: a click on a line of the source (from 1). */
interface FromPage {
  showLine?: number;
}

/** Asks the server about a document; says so and gives nothing where there is no answer. */
async function ask(
  client: LanguageClient | undefined,
  question: Question,
  uri: Uri,
  ...more: string[]
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

function activeDocument(): Uri | undefined {
  const uri = window.activeTextEditor?.document.uri;
  if (!uri) {
    void window.showInformationMessage('Open a CUDA file first.');
  }
  return uri;
}

/** One panel per document; it is drawn again when the document is saved. */
export class Reports implements Disposable {
  private readonly panels = new Map<string, WebviewPanel>();
  private readonly saved: Disposable;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.saved = workspace.onDidSaveTextDocument(async (document) => {
      const panel = this.panels.get(document.uri.toString());
      if (panel) {
        await this.draw(panel, document.uri);
      }
    });
  }

  async open(): Promise<void> {
    const uri = activeDocument();
    if (!uri) {
      return;
    }
    const known = this.panels.get(uri.toString());
    if (known) {
      known.reveal(undefined, true);
      await this.draw(known, uri);
      return;
    }
    const page = await ask(this.client(), 'warpcost.kernelReport', uri);
    if (page === undefined) {
      return;
    }
    const title = `Kernel report: ${uri.path.split('/').pop()}`;
    const panel = window.createWebviewPanel('warpcost.report', title, ViewColumn.Beside, { enableScripts: true });
    panel.webview.html = page;
    this.panels.set(uri.toString(), panel);
    panel.onDidDispose(() => this.panels.delete(uri.toString()));
    panel.webview.onDidReceiveMessage((message: FromPage) => showLine(uri, message.showLine));
  }

  dispose(): void {
    this.saved.dispose();
    for (const panel of this.panels.values()) {
      panel.dispose();
    }
  }

  private async draw(panel: WebviewPanel, uri: Uri): Promise<void> {
    const page = await ask(this.client(), 'warpcost.kernelReport', uri);
    if (page !== undefined) {
      panel.webview.html = page;
    }
  }
}

async function showLine(uri: Uri, line: number | undefined): Promise<void> {
  if (typeof line === 'number' && line >= 1) {
    const place = new Position(line - 1, 0);
    await window.showTextDocument(uri, { selection: new Range(place, place), viewColumn: ViewColumn.One });
  }
}

/** The stages of the analysis, as `warpcost explain` has them. */
const STAGES = [
  { label: 'report', detail: 'Facts and findings as a table' },
  { label: 'lp', detail: 'The proof of each bound' },
  { label: 'cost', detail: 'The cost programs of warps' },
  { label: 'events', detail: 'Addresses, lanes and costs of each access' },
  { label: 'ir', detail: 'Statements as they are analysed' },
  { label: 'syntax', detail: 'What was read of the text' },
];

/** One stage of the analysis beside the source, as text. */
export async function openStages(client: LanguageClient | undefined): Promise<void> {
  const uri = activeDocument();
  const stage = uri && (await window.showQuickPick(STAGES, { title: 'Which stage of the analysis?' }));
  const text = stage && (await ask(client, 'warpcost.showStages', uri, stage.label));
  if (text !== undefined) {
    await show(text, 'plaintext');
  }
}

/** What `warpcost check --format json` would print. */
export async function openJson(client: LanguageClient | undefined): Promise<void> {
  const uri = activeDocument();
  const text = uri && (await ask(client, 'warpcost.exportJson', uri));
  if (text !== undefined) {
    await show(JSON.stringify(JSON.parse(text), null, 2), 'json');
  }
}

async function show(content: string, language: string): Promise<void> {
  const document = await workspace.openTextDocument({ content, language });
  await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: true });
}

/** The server's command behind a code lens is one of VS Code's as soon as the client runs. */
export async function showMenu(entries: readonly { label: string; command: string; detail?: string }[]): Promise<void> {
  const chosen = await window.showQuickPick(entries, { title: 'warpcost' });
  if (chosen) {
    await commands.executeCommand(chosen.command);
  }
}
