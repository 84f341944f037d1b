---@brief
---
--- @REPOSITORY@
---
--- What each CUDA warp pays, beside the usual C++ server: divergence, memory sectors and bank conflicts, without a GPU.
--- The server is a Python program (3.11 or later): `pip install warpcost`.
---@type vim.lsp.Config
return {
  cmd = { 'warpcost', 'lsp', '--stdio' },
  filetypes = { 'cuda' },
  root_markers = { 'warpcost.toml', 'pyproject.toml', 'compile_commands.json', '.git' },
  get_language_id = function()
    return 'cuda-cpp'
  end,
}
