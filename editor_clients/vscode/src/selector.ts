// The documents that are served.  `cuda-cpp` is built in; `cuda` is what some extensions call the same.

export const SELECTOR = ['file', 'untitled', 'vscode-remote'].flatMap((scheme) =>
  ['cuda-cpp', 'cuda'].map((language) => ({ scheme, language })),
);

/** Settings files, in which the server knows keys and values; it analyses none of them. */
const SETTINGS_FILES = ['**/warpcost.toml', '**/pyproject.toml'].flatMap((pattern) =>
  ['file', 'vscode-remote'].map((scheme) => ({ scheme, pattern })),
);

/** All that the server is told of. */
export const TOLD = [...SELECTOR, ...SETTINGS_FILES];
