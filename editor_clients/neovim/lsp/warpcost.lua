---@brief
---
--- What each CUDA warp pays, beside the usual C++ server: divergence, memory sectors and bank conflicts.
--- For Neovim 0.11 and later: `vim.lsp.enable('warpcost')`.  See |warpcost|.
---@type vim.lsp.Config
return {
  cmd = { require('warpcost').program(), 'lsp', '--stdio' },
  -- Of files in TOML the settings files alone: see `root_dir`.
  filetypes = { 'cuda', 'toml' },
  root_markers = { 'warpcost.toml', 'pyproject.toml', 'compile_commands.json', '.git' },
  root_dir = function(buffer, found)
    if require('warpcost').is_served(buffer) then
      found(require('warpcost').root_of(buffer))
    end
  end,
  -- Neovim says `cuda`, the protocol says `cuda-cpp`.
  get_language_id = function(_, filetype)
    return filetype == 'cuda' and 'cuda-cpp' or filetype
  end,
  handlers = {
    ['warpcost/status'] = function(_, status, context)
      require('warpcost').remember_status(context.client_id, status)
    end,
    ['workspace/inlayHint/refresh'] = function(_, _, context)
      require('warpcost').refresh_hints(context.client_id)
      return vim.NIL
    end,
  },
  -- Commands of code actions that the editor itself carries out, and that they are: the server offers no others.
  commands = {
    ['warpcost.showRule'] = function(command)
      require('warpcost.commands').rule(command.arguments[1])
    end,
    ['warpcost.openWhy'] = function(command)
      require('warpcost.commands').why(command.arguments[2])
    end,
    ['warpcost.openShapes'] = function(command)
      require('warpcost.commands').shapes(command.arguments[2])
    end,
  },
  capabilities = { experimental = { commands = { commands = { 'warpcost.showRule', 'warpcost.openWhy', 'warpcost.openShapes' } } } },
  -- All that `warpcost.toml` knows, by the same names; what is set here comes on top of the file.
  settings = { warpcost = vim.empty_dict() },
}
