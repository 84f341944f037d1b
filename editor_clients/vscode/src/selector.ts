// The documents that are served.  `cuda-cpp` is built in; `cuda` is what some extensions call the same.

export const SELECTOR = ['file', 'untitled', 'vscode-remote'].flatMap((scheme) =>
  ['cuda-cpp', 'cuda'].map((language) => ({ scheme, language })),
);
