--- `:Warpcost WORD [MORE]`: one function per word.

local warpcost = require('warpcost')

local M = {}

local function say(text, level)
  vim.notify('warpcost: ' .. text, level or vim.log.levels.INFO)
end

--- The client of this buffer; says so if there is none.
local function client_or_complaint()
  local client = warpcost.client()
  if not client then
    say('no server is attached to this buffer; see :checkhealth warpcost', vim.log.levels.WARN)
  end
  return client
end

--- Asks the server to execute one of its commands about this file.
---@param command string
---@param more string[] arguments after the file
---@param done fun(text: string)
local function ask(command, more, done)
  local client = client_or_complaint()
  if not client then
    return
  end
  local known = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.tbl_contains(known, command) then
    say(('this server does not know `%s`; is it older than the plugin?'):format(command), vim.log.levels.WARN)
    return
  end
  local params = { command = command, arguments = vim.list_extend({ vim.uri_from_bufnr(0) }, more) }
  local function answered(err, result)
    if err then
      say(err.message, vim.log.levels.ERROR)
    else
      done(result)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, answered)
  else
    client.request('workspace/executeCommand', params, answered)
  end
end

--- Shows text in a scratch buffer of its own window.
local function show(text, filetype)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo[buffer].filetype = filetype
  vim.bo[buffer].modifiable = false
end

--- Opens the report of this file in the browser; returns the name of the page through `opened` for tests.
---@param opened? fun(page: string)
function M.report(opened)
  ask('warpcost.kernelReport', { vim.api.nvim_win_get_cursor(0)[1] }, function(html)
    local page = vim.fn.tempname() .. '.html'
    vim.fn.writefile(vim.split(html, '\n', { plain = true }), page)
    if opened then
      opened(page)
      return
    end
    local _, problem = vim.ui.open(page)
    if problem then
      say(('the report is in %s (%s)'):format(page, problem))
    end
  end)
end

M.STAGES = { 'syntax', 'ir', 'events', 'cost', 'lp', 'report' }

--- Shows a stage of the analysis, as `warpcost explain` has it; the facts and findings unless said.
---@param stage? string
function M.stages(stage)
  stage = stage or 'report'
  if not vim.tbl_contains(M.STAGES, stage) then
    say(('`%s` is none of %s'):format(stage, table.concat(M.STAGES, ', ')), vim.log.levels.ERROR)
    return
  end
  ask('warpcost.showStages', { stage }, function(text)
    show(text, 'text')
  end)
end

--- Shows what was asked about the accesses and branches of a line, and what came of it; the cursor's line unless said.
---@param line? integer|string
function M.why(line)
  ask('warpcost.explainLine', { tonumber(line) or vim.api.nvim_win_get_cursor(0)[1] }, function(text)
    show(text, 'text')
  end)
end

--- Shows what the kernel around a line would pay with other block shapes; the cursor's line unless said.
---@param line? integer|string
function M.shapes(line)
  ask('warpcost.compareShapes', { tonumber(line) or vim.api.nvim_win_get_cursor(0)[1] }, function(text)
    show(text, 'text')
  end)
end

--- Shows what `warpcost check --format json` would print.
function M.json()
  ask('warpcost.exportJson', {}, function(text)
    show(text, 'json')
  end)
end

--- Opens the help of a rule; unless said, of the finding at the cursor, else of the first one of its line.
---@param code? string
function M.rule(code)
  if not code then
    local line, column = unpack(vim.api.nvim_win_get_cursor(0))
    for _, one in ipairs(vim.diagnostic.get(0, { lnum = line - 1 })) do
      local here = one.source == 'warpcost' and one.col <= column and column < (one.end_col or one.col + 1)
      code = one.source == 'warpcost' and (here or not code) and one.code or code
    end
  end
  if not code then
    say('there is no finding on this line; see :help warpcost-rules', vim.log.levels.WARN)
  elseif not pcall(vim.cmd.help, 'warpcost-' .. code) then
    say(('there is no rule `%s`; see :help warpcost-rules'):format(code), vim.log.levels.ERROR)
  end
end

--- Switches remarks at the ends of lines on or off.
function M.hints()
  if not vim.lsp.inlay_hint then
    say('this Neovim shows no inlay hints', vim.log.levels.WARN)
    return
  end
  local here = { bufnr = 0 }
  vim.lsp.inlay_hint.enable(not vim.lsp.inlay_hint.is_enabled(here), here)
end

--- How long a server may take to end, and when it is ended, in steps of 50 ms.
local PATIENCE, FORCE = 60, 40

---@param force? boolean end the process of a server that does not answer
local function stop(client, force)
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop(force)
  else
    client.stop(force)
  end
end

--- Stops the server and starts it again for the same buffers.
function M.restart()
  local client = client_or_complaint()
  if not client then
    return
  end
  local config, buffers = client.config, vim.tbl_keys(client.attached_buffers)
  local function another(other, wanted)
    return other.id ~= client.id and other.name == wanted.name and other.config.root_dir == wanted.root_dir
  end
  local function start(gone)
    for _, buffer in ipairs(buffers) do
      if vim.api.nvim_buf_is_loaded(buffer) then
        if not gone then
          vim.lsp.buf_detach_client(buffer, client.id)
        end
        vim.lsp.start(config, { bufnr = buffer, reuse_client = gone and config.reuse_client or another })
      end
    end
  end
  stop(client)
  local tries = 0
  local timer = assert(vim.uv.new_timer())
  timer:start(
    50,
    50,
    vim.schedule_wrap(function()
      tries = tries + 1
      local gone = vim.lsp.get_client_by_id(client.id) == nil
      if tries == FORCE and not gone then
        stop(client, true)
      end
      if timer:is_closing() or not (gone or tries > PATIENCE) then
        return
      end
      timer:close()
      start(gone)
    end)
  )
end

--- Opens the log of Neovim's clients, where the server's standard error goes.
function M.log()
  vim.cmd.tabnew(vim.lsp.get_log_path())
end

local WORDS = { 'hints', 'json', 'log', 'report', 'restart', 'rule', 'shapes', 'stages', 'why' }

--- The words that begin with a prefix; after `stages`, the stages.
---@param prefix string
---@param line string
---@return string[]
function M.matching(prefix, line)
  local words = line:match('^%s*Warpcost%s+stages%s') and M.STAGES or WORDS
  return vim.tbl_filter(function(word)
    return vim.startswith(word, prefix)
  end, words)
end

---@param words string[]
function M.run(words)
  if vim.tbl_contains(WORDS, words[1]) then
    M[words[1]](words[2])
  else
    say(('`%s` is none of %s'):format(words[1], table.concat(WORDS, ', ')), vim.log.levels.ERROR)
  end
end

return M
