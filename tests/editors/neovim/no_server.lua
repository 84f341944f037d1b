-- Without a server nothing breaks: the editor says what is missing once, commands say what to look at.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
local said = {}
vim.notify = function(text)
  table.insert(said, text)
end
t.load_plugin()
require('warpcost').setup({ cmd = { 'no-such-warpcost', 'lsp' } })
vim.cmd.edit(t.workspace() .. '/transpose.cu')
vim.wait(300)
t.equal(#vim.lsp.get_clients(), 0, 'clients')
t.equal(require('warpcost').status(0), '', 'status')
said = {}
vim.cmd('Warpcost report')
t.equal(#said, 1, 'remarks of the command')
t.check(said[1]:find(':checkhealth warpcost', 1, true), said[1])
vim.cmd('Warpcost nonsense')
t.check(said[2]:find('none of hints, json, log, report, restart, rule, shapes, stages', 1, true), said[2])
t.equal(vim.fn.getcompletion('Warpcost re', 'cmdline'), { 'report', 'restart' }, 'completion')
t.close()
