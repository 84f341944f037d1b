-- The command of the plugin; nothing else runs before a CUDA file is opened.
if vim.g.loaded_warpcost then
  return
end
vim.g.loaded_warpcost = true

vim.api.nvim_create_user_command('Warpcost', function(arguments)
  require('warpcost.commands').run(arguments.fargs)
end, {
  nargs = '+',
  desc = 'Asks or tells the language server warpcost',
  complete = function(prefix, line)
    return require('warpcost.commands').matching(prefix, line)
  end,
})
