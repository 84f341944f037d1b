// What the server tells of a whole file as text: stages of the analysis, JSON.

import {
  type Disposable,
  EventEmitter,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { activeDocument, ask } from './ask';

const SCHEME = 'warpcost';

export const OPEN_WHY = 'warpcost.openWhy';
export const OPEN_SHAPES = 'warpcost.openShapes';

/** The stages of the analysis, as `warpcost explain` has them. */
const STAGES = [
  { label: 'report', detail: 'Facts and findings as a table' },
  { label: 'lp', detail: 'The proof of each bound' },
  { label: 'cost', detail: 'The cost programs of warps' },
  { label: 'events', detail: 'Addresses, lanes and costs of each access' },
  { label: 'ir', detail: 'Statements as they are analysed' },
  { label: 'syntax', detail: 'What was read of the text' },
];

/** Read-only documents beside the source: nothing that would have to be saved.  The same command again refreshes them. */
export class Texts implements TextDocumentContentProvider, Disposable {
  private readonly shown = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: Disposable[];

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.subscriptions = [
      this.changed,
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      workspace.onDidCloseTextDocument((document) => this.shown.delete(document.uri.toString())),
    ];
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.shown.get(uri.toString()) ?? 'This was shown before the window was loaded; the command shows it again.\n';
  }

  /** One stage of the analysis, as `warpcost explain` has it. */
  async openStages(): Promise<void> {
    const uri = activeDocument();
    const stage = uri && (await window.showQuickPick(STAGES, { title: 'Which stage of the analysis?' }));
    if (!stage) {
      return;
    }
    const text = await ask(this.client(), 'warpcost.showStages', uri, stage.label);
    if (text !== undefined) {
      await this.show(uri, `${stage.label}.txt`, text);
    }
  }

  /** What `warpcost check --format json` would print. */
  async openJson(): Promise<void> {
    const uri = activeDocument();
    const text = uri && (await ask(this.client(), 'warpcost.exportJson', uri));
    if (uri && text !== undefined) {
      await this.show(uri, 'json', `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    }
  }

  /** What was asked about the accesses and branches of a line (from 1), and what came of it; the cursor's line unless said. */
  openWhy(where?: unknown, line?: unknown): Promise<void> {
    return this.openOfLine('warpcost.explainLine', '', where, line);
  }

  /** What the kernel around a line (from 1) would pay with other block shapes; the cursor's line unless said. */
  openShapes(where?: unknown, line?: unknown): Promise<void> {
    return this.openOfLine('warpcost.compareShapes', 'shapes.', where, line);
  }

  dispose(): void {
    this.subscriptions.forEach((one) => one.dispose());
  }

  private async openOfLine(
    question: 'warpcost.explainLine' | 'warpcost.compareShapes',
    name: string,
    where?: unknown,
    line?: unknown,
  ): Promise<void> {
    const uri = typeof where === 'string' ? Uri.parse(where) : activeDocument();
    const at = typeof line === 'number' ? line : (window.activeTextEditor?.selection.active.line ?? 0) + 1;
    const text = uri && (await ask(this.client(), question, uri, at));
    if (uri && text !== undefined) {
      await this.show(uri, `${name}${at}.txt`, text);
    }
  }

  /** Named after the source; the ending tells the editor the language. */
  private async show(source: Uri, ending: string, text: string): Promise<void> {
    const uri = source.with({ scheme: SCHEME, path: `${source.path}.${ending}` });
    this.shown.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: true });
  }
}
