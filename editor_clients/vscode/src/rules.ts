// Pages of rules: a click on the code of a finding, or the link of its card, shows the page as a preview, from this extension's own files.

import {
  commands,
  type Diagnostic,
  Hover,
  languages,
  MarkdownString,
  type Position,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { SECTION } from './settings';

export const SHOW_RULE = 'warpcost.showRule';

const ASSUMPTIONS = 'assumptions';
const STANDING = 'the standing assumptions';

/** Shows the page of a rule; of those at the cursor, or of all, if none is said. */
export async function showRule(extension: Uri, code?: unknown): Promise<void> {
  const chosen = typeof code === 'string' ? code : (codesAtCursor()[0] ?? (await pickRule(Uri.joinPath(extension, 'docs', 'rules'))));
  if (chosen === undefined || !(chosen === ASSUMPTIONS || /^WC\d{3}$/.test(chosen))) {
    return;
  }
  await commands.executeCommand('markdown.showPreview', pageOf(extension, chosen));
}

/**
 * The findings with codes that lead to the pages of this extension.  VS Code runs no command for a code, but opens a file with the
 * editor that is associated with it: package.json says that it is the preview.
 */
export function withPages(extension: Uri, diagnostics: Diagnostic[]): Diagnostic[] {
  for (const one of diagnostics) {
    const code = codeOf(one);
    if (code !== undefined) {
      one.code = { value: code, target: pageOf(extension, code) };
    }
  }
  return diagnostics;
}

/**
 * A card with a link for each rule that has a finding at this place, and for the assumptions that it speaks of; a card of links where
 * there was none.
 */
export function withLinks(document: TextDocument, position: Position, card: Hover | null | undefined): Hover | null | undefined {
  const codes = codesAt(document, position);
  const titles = new Map(codes.map((code) => [code, `Show documentation for ${code}`]));
  if (card?.contents.some((part) => (typeof part === 'string' ? part : part.value).includes(STANDING))) {
    titles.set(ASSUMPTIONS, 'What is assumed?');
  }
  if (titles.size === 0) {
    return card;
  }
  const links = new MarkdownString([...titles].map(([page, title]) => `[${title}](${linkTo(page).toString(true)})`).join(' · '));
  links.isTrusted = { enabledCommands: [SHOW_RULE] };
  return card ? new Hover([...card.contents, links], card.range) : new Hover(links);
}

function pageOf(extension: Uri, code: string): Uri {
  const folder = code === ASSUMPTIONS ? ['docs'] : ['docs', 'rules'];
  return Uri.joinPath(extension, ...folder, `${code}.md`);
}

function linkTo(code: string): Uri {
  return Uri.parse(`command:${SHOW_RULE}?${encodeURIComponent(JSON.stringify([code]))}`);
}

function codeOf(one: Diagnostic): string | undefined {
  const code = typeof one.code === 'object' ? one.code.value : one.code;
  return one.source === SECTION && typeof code === 'string' ? code : undefined;
}

function codesAt(document: TextDocument, position: Position): string[] {
  const here = languages.getDiagnostics(document.uri).filter((one) => one.range.contains(position));
  return [...new Set(here.map(codeOf).filter((code) => code !== undefined))];
}

/** Those of the place first, then those of the line. */
function codesAtCursor(): string[] {
  const editor = window.activeTextEditor;
  if (!editor) {
    return [];
  }
  const { active } = editor.selection;
  const line = editor.document.lineAt(active.line).range;
  const beside = languages.getDiagnostics(editor.document.uri).filter((one) => one.range.intersection(line));
  return [...codesAt(editor.document, active), ...beside.map(codeOf).filter((code) => code !== undefined)];
}

async function pickRule(folder: Uri): Promise<string | undefined> {
  const files = (await workspace.fs.readDirectory(folder)).map(([name]) => name).filter((name) => name.endsWith('.md'));
  const titles = await Promise.all(
    files.sort().map(async (name) => {
      const text = new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(folder, name)));
      return text.replace(/^# (.*)[^]*/, '$1');
    }),
  );
  const chosen = await window.showQuickPick(titles, { title: 'Documentation of which rule?' });
  return chosen?.split(':', 1)[0];
}
