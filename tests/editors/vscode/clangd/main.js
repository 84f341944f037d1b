// clangd as its own extension starts it: the same client library, the same kind of document.
const { LanguageClient } = require('vscode-languageclient/node');

exports.activate = () =>
  new LanguageClient('clangd', 'clangd', { command: process.env.WARPCOST_CLANGD, args: ['--log=error'] }, {
    documentSelector: [{ scheme: 'file', language: 'cuda-cpp' }, { scheme: 'vscode-remote', language: 'cuda-cpp' }],
  }).start();
