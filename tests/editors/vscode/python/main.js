// The Python extension's API, as far as it tells which interpreter is selected (npm: @vscode/python-extension).
const { commands, EventEmitter, Uri, window } = require('vscode');

const INTERPRETERS = process.env.WARPCOST_INTERPRETERS.split(':');

exports.activate = (context) => {
  let selected = INTERPRETERS[0];
  const changed = new EventEmitter();
  const select = async () => {
    selected = (await window.showQuickPick(INTERPRETERS, { title: 'Select Interpreter' })) ?? selected;
    changed.fire({ id: selected, path: selected, resource: undefined });
  };
  context.subscriptions.push(changed, commands.registerCommand('python.setInterpreter', select));
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: selected, path: selected }),
      resolveEnvironment: async ({ path }) => ({ executable: { uri: Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
