// Starts the server, keeps it running, and offers to install it where there is none.

import {
  commands,
  type ExtensionContext,
  type LogOutputChannel,
  ProgressLocation,
  tasks,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import { makeClient } from './client';
import { findServer, isSame, privateServer, type Start } from './find_server';
import { inTime } from './in_time';
import { showMenu } from './menu';
import { Cancelled, PrivateServer } from './private_server';
import { Reports } from './report';
import { SHOW_RULE, showRule } from './rules';
import { onInterpreterSelected } from './selected_interpreter';
import { SECTION, serverInterpreter, serverPath } from './settings';
import { StatusItem } from './status';
import { Checks } from './tasks';
import { OPEN_SHAPES, OPEN_WHY, Texts } from './texts';

const INSTALL = 'Install';
const UPDATE = 'Update';
const LATER = 'Not now';
const RETRY = 'Retry';
const SHOW_LOG = 'Show log';
const SETTINGS = 'Open settings';

/** Milliseconds that a server may take to answer for the first time; what waits for it goes on then. */
const PATIENCE = 60_000;

class Session {
  client: LanguageClient | undefined;
  /** How the client was started; nothing where the last search found nothing. */
  private started: Start | undefined;
  private readonly own: PrivateServer;
  private readonly extension: Uri;
  private readonly status = new StatusItem();
  private asked = false;
  private installing: Promise<void> | undefined;
  /** Starts, stops and installations one after the other, however fast they are asked for. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    context: ExtensionContext,
    readonly log: LogOutputChannel,
  ) {
    this.own = new PrivateServer(context.extensionPath, context.globalStorageUri.fsPath, log);
    this.extension = context.extensionUri;
    context.subscriptions.push(this.status);
  }

  /** What commands of the program that runs are begun with. */
  program(): string[] | undefined {
    return this.started?.program;
  }

  /** Ends what runs, and starts what is found now. */
  restart(): Promise<void> {
    return this.next(() => this.startAnew());
  }

  /** What is found may be another server now; the same one runs on. */
  lookAgain(): Promise<void> {
    return this.next(async () => {
      const { start } = await findServer(this.own, window.activeTextEditor?.document.uri);
      if (!(start && this.started && this.client?.isRunning() && isSame(start, this.started))) {
        await this.startAnew();
      }
    });
  }

  private next(task: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(task, task);
    return this.queue;
  }

  async stop(): Promise<void> {
    const running = this.client;
    this.client = undefined;
    try {
      await running?.dispose(2000);
    } catch (error) {
      // It does not answer, or never came up.  The library ends its process; it must not keep the next one from starting.
      this.log.warn(`the server did not end by itself: ${error}`);
    }
  }

  private async startAnew(): Promise<void> {
    await this.stop();
    this.status.is('starting');
    const { start, tried, outdated } = await findServer(this.own, window.activeTextEditor?.document.uri);
    for (const reason of tried) {
      this.log.info(`looked for the server: ${reason}`);
    }
    if (start) {
      await this.start(start);
    } else {
      this.started = undefined;
      this.status.is(outdated ? 'outdated' : 'missing', tried.join('\n'));
      void (serverPath() ? this.sayPathIsWrong(tried) : this.offer(outdated));
    }
  }

  private async start(start: Start): Promise<void> {
    this.status.is('starting');
    this.log.info(`starting warpcost ${start.version} from ${start.origin}: ${start.command} ${start.args.join(' ')}`);
    const client = makeClient(start, this.log, this.extension, (status) => this.status.says(status));
    this.client = client;
    this.started = start;
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) {
        this.status.is(newState === State.Running ? 'running' : newState === State.Starting ? 'starting' : 'stopped',
          `version ${start.version}, from ${start.origin}`);
      }
    });
    try {
      await inTime(client.start(), PATIENCE, `it did not answer within ${PATIENCE / 1000} s`);
    } catch (error) {
      this.status.is('failed', String(error));
      this.log.error(`the server could not be started: ${error}`);
      void this.sayItFailed(`warpcost could not be started: ${error}`, () => this.restart());
    }
  }

  private async sayPathIsWrong(tried: string[]): Promise<void> {
    const said = await window.showErrorMessage(`warpcost was not found: ${tried.join('; ')}`, SETTINGS, RETRY);
    if (said === SETTINGS) {
      await commands.executeCommand('workbench.action.openSettings', 'warpcost.server');
    } else if (said === RETRY) {
      await this.restart();
    }
  }

  /** Once per window; afterwards the command and the status item are there. */
  private async offer(outdated: boolean): Promise<void> {
    if (this.asked) {
      return;
    }
    this.asked = true;
    const need = outdated
      ? 'The server of warpcost is out of date: it was installed by another version of this extension. Update it? '
      : 'warpcost needs its server, which was not found. Install it into a private Python environment? ';
    const effort = 'It comes with this extension; about 40 MB that it depends on are downloaded.';
    const yes = outdated ? UPDATE : INSTALL;
    if ((await window.showInformationMessage(need + effort, yes, LATER)) === yes) {
      await this.install();
    }
  }

  /** Once at a time: whoever asks again waits for the same. */
  install(): Promise<void> {
    this.installing ??= this.next(() => this.installAnew()).finally(() => (this.installing = undefined));
    return this.installing;
  }

  private async installAnew(): Promise<void> {
    const ran = this.client?.isRunning() ?? false;
    await this.stop(); // On Windows the files of a running server cannot be replaced.
    this.status.is('installing');
    const options = { location: ProgressLocation.Notification, title: 'Installing warpcost', cancellable: true };
    try {
      const took = await window.withProgress(options, (progress, cancel) =>
        this.own.install(serverInterpreter(), progress, cancel),
      );
      const figures = `installed in ${took.seconds.toFixed(1)} s, ${took.megabytes.toFixed(1)} MB downloaded`;
      this.log.info(figures);
      void window.showInformationMessage(`warpcost is ${figures}.`);
    } catch (error) {
      this.sayItEnded(error);
      if (!ran) {
        return;
      }
    }
    // What was looked for in vain before is not looked for again: somebody waits for the first finding.
    await (this.started || serverPath() ? this.startAnew() : this.start(privateServer(this.own)));
  }

  /** Why an installation ended early. */
  private sayItEnded(error: unknown): void {
    if (error instanceof Cancelled) {
      this.status.is('missing');
      this.log.info(error.message);
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    this.log.error(`the installation failed: ${reason}`);
    this.status.is('failed', reason);
    void this.sayItFailed(`warpcost could not be installed: ${reason}`, () => this.install());
  }

  private async sayItFailed(message: string, again: () => Promise<void>): Promise<void> {
    const said = await window.showErrorMessage(message, RETRY, SHOW_LOG);
    if (said === RETRY) {
      await again();
    } else if (said === SHOW_LOG) {
      this.log.show();
    }
  }
}

let session: Session | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('warpcost', { log: true });
  const current = new Session(context, log);
  session = current;
  const reports = new Reports(() => current.client);
  const texts = new Texts(() => current.client);
  context.subscriptions.push(
    log,
    reports,
    texts,
    commands.registerCommand('warpcost.restartServer', () => current.restart()),
    commands.registerCommand('warpcost.installServer', () => current.install()),
    commands.registerCommand('warpcost.openReport', () => reports.open()),
    commands.registerCommand('warpcost.openStages', () => texts.openStages()),
    commands.registerCommand('warpcost.openJson', () => texts.openJson()),
    commands.registerCommand(OPEN_WHY, (uri?: unknown, line?: unknown) => texts.openWhy(uri, line)),
    commands.registerCommand(OPEN_SHAPES, (uri?: unknown, line?: unknown) => texts.openShapes(uri, line)),
    commands.registerCommand(SHOW_RULE, (code?: unknown) => showRule(context.extensionUri, code)),
    commands.registerCommand('warpcost.showOutput', () => log.show()),
    commands.registerCommand('warpcost.showMenu', showMenu),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(`${SECTION}.server`)) {
        await current.restart();
      }
    }),
    tasks.registerTaskProvider(SECTION, new Checks(() => current.program())),
    workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    onInterpreterSelected(() => current.lookAgain()),
  );
  await current.restart();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
