// The kernel report in a panel beside the source.

import { type Disposable, Position, Range, type Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { activeDocument, ask } from './ask';

/** What the page tells: a click on a line of the source (from 1). */
interface FromPage {
  showLine?: number;
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
    const line = (window.activeTextEditor?.selection.active.line ?? -1) + 1;
    const known = this.panels.get(uri.toString());
    if (known) {
      known.reveal(undefined, true);
      await this.draw(known, uri, line);
      return;
    }
    const page = await ask(this.client(), 'warpcost.kernelReport', uri, line);
    if (page === undefined) {
      return;
    }
    const title = `Kernel report: ${uri.path.split('/').pop()}`;
    const panel = window.createWebviewPanel('warpcost.report', title, ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [], // The page holds all that it needs.
    });
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

  private async draw(panel: WebviewPanel, uri: Uri, line = 0): Promise<void> {
    const page = await ask(this.client(), 'warpcost.kernelReport', uri, line);
    if (page !== undefined) {
      panel.webview.html = page;
    }
  }
}

async function showLine(uri: Uri, line: number | undefined): Promise<void> {
  if (typeof line === 'number' && line >= 1) {
    const place = new Position(line - 1, 0);
    const shown = window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
    const viewColumn = shown?.viewColumn ?? ViewColumn.One;
    await window.showTextDocument(uri, { selection: new Range(place, place), viewColumn });
  }
}
