// The item in the status bar: whether the server is there, well, and at work.

import { type Disposable, languages, StatusBarAlignment, ThemeColor, type TextEditor, window } from 'vscode';
import { SELECTOR } from './selector';

/** What the server says of itself. */
export interface ServerStatus {
  health: 'ok' | 'warning' | 'error';
  quiescent: boolean;
  message?: string;
}

/** What can be said before there is a server to speak for itself. */
export type Presence = 'installing' | 'starting' | 'running' | 'missing' | 'outdated' | 'failed' | 'stopped';

export class StatusItem implements Disposable {
  private readonly item = window.createStatusBarItem('warpcost.status', StatusBarAlignment.Right, 90);
  private readonly subscription: Disposable;
  private presence: Presence = 'starting';
  private detail = '';
  private said: ServerStatus | undefined;

  constructor() {
    this.item.name = 'warpcost';
    this.item.command = 'warpcost.showMenu';
    this.subscription = window.onDidChangeActiveTextEditor((editor) => this.showFor(editor));
    this.draw();
  }

  is(presence: Presence, detail = ''): void {
    this.presence = presence;
    this.detail = detail;
    this.said = undefined;
    this.draw();
  }

  /** The server's own word. */
  says(status: ServerStatus): void {
    this.said = status;
    this.draw();
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }

  private draw(): void {
    const health = this.health();
    const begins = this.presence === 'installing' || this.presence === 'starting';
    const busy = begins || (this.presence === 'running' && this.said?.quiescent === false);
    const icon = { ok: 'check', warning: 'warning', error: 'error' }[health];
    this.item.text = `$(${busy ? 'loading~spin' : icon}) warpcost`;
    this.item.tooltip = this.tooltip();
    this.item.backgroundColor =
      health === 'ok' ? undefined : new ThemeColor(`statusBarItem.${health}Background`);
    this.item.accessibilityInformation = { label: this.tooltip(), role: 'button' };
    this.showFor(window.activeTextEditor);
  }

  private health(): ServerStatus['health'] {
    if (this.presence === 'missing' || this.presence === 'outdated' || this.presence === 'stopped') {
      return 'warning';
    }
    return this.presence === 'failed' ? 'error' : (this.said?.health ?? 'ok');
  }

  private tooltip(): string {
    const first = {
      installing: 'warpcost is being installed',
      starting: 'warpcost is starting',
      running: `warpcost is running${this.said?.quiescent === false ? ', and analysing' : ''}`,
      missing: 'warpcost is not installed yet',
      outdated: 'The server of warpcost is out of date',
      failed: 'warpcost does not work',
      stopped: 'warpcost has stopped',
    }[this.presence];
    return [first, this.said?.message, this.detail].filter(Boolean).join('\n');
  }

  /** Where there is no CUDA file it would be in the way. */
  private showFor(editor: TextEditor | undefined): void {
    if (editor && languages.match(SELECTOR, editor.document) > 0) {
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}
