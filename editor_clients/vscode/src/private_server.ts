// A private virtual environment: warpcost from the wheel in this extension, its dependencies pinned with hashes.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { CancellationToken, LogOutputChannel, Progress } from 'vscode';
import { lastLine, type RunOptions, run } from './processes';

/** What an installation took. */
export interface Installed {
  seconds: number;
  megabytes: number;
}

/** The user stopped it. */
export class Cancelled extends Error {
  constructor() {
    super('the installation was stopped');
  }
}

/** Prints the version; fails where environments cannot be made.  What lies in the working folder is not looked at. */
const SUFFICES =
  "import sys; sys.path[:] = [folder for folder in sys.path if folder]; print('%d.%d' % sys.version_info[:2]); " +
  "sys.version_info < (3, 11) or (__import__('venv'), __import__('ensurepip'))";

/** Isolated: a file of the working folder named like a module must not be run in its place. */
const MODULE = ['-I', '-m'];

export class PrivateServer {
  private readonly folder: string;

  constructor(
    private readonly extensionFolder: string,
    storageFolder: string,
    private readonly log: LogOutputChannel,
  ) {
    this.folder = path.join(storageFolder, 'server');
  }

  /** The interpreter of the environment. */
  get python(): string {
    const inside = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
    return path.join(this.folder, ...inside);
  }

  private get marker(): string {
    return path.join(this.folder, 'warpcost-installed');
  }

  private get wheel(): string {
    const names = fs.readdirSync(path.join(this.extensionFolder, 'server')).filter((name) => name.endsWith('.whl'));
    if (names.length !== 1 || names[0] === undefined) {
      throw new Error(`the extension holds ${names.length} wheels instead of one`);
    }
    return path.join(this.extensionFolder, 'server', names[0]);
  }

  private get requirements(): string {
    return path.join(this.extensionFolder, 'server', 'requirements.txt');
  }

  /** The version of the wheel: `warpcost-0.1.0-py3-none-any.whl`. */
  get version(): string {
    return path.basename(this.wheel).split('-')[1] ?? '';
  }

  /** What the environment is made of: of another wheel it is out of date. */
  private fingerprint(): string {
    const hash = createHash('sha256');
    for (const file of [this.wheel, this.requirements]) {
      hash.update(fs.readFileSync(file));
    }
    return hash.digest('hex');
  }

  /** Whether the environment is there and was finished, and whether that was for the wheel that is in the extension now. */
  state(): 'ready' | 'outdated' | 'absent' {
    try {
      if (!fs.existsSync(this.python)) {
        return 'absent';
      }
      return fs.readFileSync(this.marker, 'utf8') === this.fingerprint() ? 'ready' : 'outdated';
    } catch (error) {
      this.log.debug(`no private environment: ${error}`);
      return 'absent';
    }
  }

  /** Makes the environment anew.  Whatever stops it, nothing half-made stays behind. */
  async install(
    chosen: string,
    progress: Progress<{ message?: string }>,
    cancel: CancellationToken,
  ): Promise<Installed> {
    const start = Date.now();
    let megabytes = 0;
    let printed = '';
    const watch: RunOptions = {
      cancel,
      onOutput: (text) => {
        this.log.info(text.trimEnd());
        // A line may come in pieces: only whole ones are read.
        const lines = (printed + text).split(/\r?\n/);
        printed = lines.pop() ?? '';
        for (const line of lines) {
          const step = /^\s*Downloading (\S+?)-.*\((\d+(?:\.\d+)?) (kB|MB)\)/.exec(line);
          if (step) {
            megabytes += Number(step[2]) * (step[3] === 'MB' ? 1 : 0.001);
            progress.report({ message: `downloading ${step[1]}` });
          } else if (/^\s*Installing collected/.test(line)) {
            progress.report({ message: 'installing' });
          }
        }
      },
    };
    try {
      progress.report({ message: 'looking for Python' });
      const python = await this.findPython(chosen, cancel);
      this.remove();
      fs.mkdirSync(path.dirname(this.folder), { recursive: true });
      progress.report({ message: `making an environment with Python ${python.version}` });
      await this.step(python.command, [...python.args, ...MODULE, 'venv', this.folder], watch);
      progress.report({ message: 'fetching what it depends on' });
      const pip = [...MODULE, 'pip', '--disable-pip-version-check', '--no-input', 'install', '--progress-bar=off'];
      const pinned = ['--require-hashes', '--only-binary=:all:', '-r', this.requirements];
      await this.step(this.python, [...pip, ...pinned], watch);
      await this.step(this.python, [...pip, '--no-deps', '--no-index', this.wheel], watch);
      fs.writeFileSync(this.marker, this.fingerprint());
    } catch (error) {
      this.remove();
      throw cancel.isCancellationRequested ? new Cancelled() : error;
    }
    return { seconds: (Date.now() - start) / 1000, megabytes };
  }

  /** What was ended a moment ago may still have written a file. */
  private remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  private async step(command: string, args: string[], options: RunOptions): Promise<void> {
    if (options.cancel?.isCancellationRequested) {
      throw new Cancelled();
    }
    const ended = await run(command, args, options);
    if (ended.status !== 0) {
      throw new Error(lastLine(ended));
    }
  }

  /** A Python of 3.11 or later that can make environments; if there is none, says what each candidate lacks. */
  private async findPython(chosen: string, cancel: CancellationToken): Promise<Candidate & { version: string }> {
    const problems: string[] = [];
    for (const candidate of chosen ? [{ command: chosen, args: [] }] : candidates()) {
      try {
        const ended = await run(candidate.command, [...candidate.args, '-c', SUFFICES], { cancel, limit: 20_000 });
        const version = ended.stdout.trim();
        const [major, minor] = version.split('.').map(Number);
        if (ended.status === 0 && major === 3 && minor !== undefined && minor >= 11) {
          return { ...candidate, version };
        }
        problems.push(`${candidate.command}: ${reasonOf(ended.status === 0, version, lastLine(ended))}`);
      } catch (error) {
        this.log.debug(`${candidate.command}: ${error}`); // Not there, which is no news for most of them.
      }
    }
    const seen = problems.length > 0 ? ` (${problems.join('; ')})` : '';
    throw new Error(`no Python 3.11 or later was found${seen}; the setting warpcost.server.interpreter can name one`);
  }
}

interface Candidate {
  command: string;
  args: string[];
}

function candidates(): Candidate[] {
  const launcher = process.platform === 'win32' ? [{ command: 'py', args: ['-3'] }] : [];
  const names = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
  return [...launcher, ...names.map((command) => ({ command, args: [] }))];
}

function reasonOf(ran: boolean, version: string, said: string): string {
  if (ran) {
    return `is Python ${version}`;
  }
  return /No module named '?(venv|ensurepip)/.test(said)
    ? 'has no module venv (on Debian and Ubuntu: the package python3-venv)'
    : said;
}
