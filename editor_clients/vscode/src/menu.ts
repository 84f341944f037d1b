// The menu of the status item: every command.

import { commands, window } from 'vscode';

const MENU = [
  { label: '$(graph) Open kernel report', command: 'warpcost.openReport', detail: 'Bounds, charts, cost by line' },
  { label: '$(list-tree) Show stages of the analysis', command: 'warpcost.openStages' },
  { label: '$(table) Compare block shapes', command: 'warpcost.openShapes', detail: 'What a kernel would pay with other blocks' },
  { label: '$(question) Show why this line has its level', command: 'warpcost.openWhy', detail: 'What was asked about its accesses and branches' },
  { label: '$(json) Show results as JSON', command: 'warpcost.openJson' },
  { label: '$(book) Show documentation of a rule', command: 'warpcost.showRule' },
  { label: '$(refresh) Restart server', command: 'warpcost.restartServer' },
  { label: '$(cloud-download) Install server', command: 'warpcost.installServer' },
  { label: '$(output) Show log', command: 'warpcost.showOutput' },
];

export async function showMenu(): Promise<void> {
  const chosen = await window.showQuickPick(MENU, { title: 'warpcost' });
  if (chosen) {
    await commands.executeCommand(chosen.command);
  }
}
