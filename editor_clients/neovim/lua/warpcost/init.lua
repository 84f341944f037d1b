--- The client of warpcost for Neovim 0.10 and later.
---
--- On 0.11 and later `vim.lsp.enable('warpcost')` is enough; `setup` is the same for all versions.

local M = {}

M.NAME = 'warpcost'

--- Folder of the plugin, wherever it was put.
local PLUGIN = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h')

--- The program `warpcost` by its full path.  An entry of PATH that is no full path would be looked up in the project.
---@return string
function M.program()
  local windows = vim.fn.has('win32') == 1
  for _, folder in ipairs(vim.split(vim.env.PATH or '', windows and ';' or ':', { plain = true })) do
    local file = folder .. (windows and '\\warpcost.exe' or '/warpcost')
    if folder:match('^/') or folder:match('^%a:[/\\]') then
      if vim.fn.executable(file) == 1 then
        return file
      end
    end
  end
  return windows and 'C:\\not\\on\\PATH\\warpcost' or '/not/on/PATH/warpcost'
end

---@type table<integer, { health: string, quiescent: boolean, message: string }>
local statuses = {}

---@class warpcost.Options
---@field cmd? string[] the command that starts the server
---@field settings? table what `warpcost.toml` knows, by the same names
---@field inlay_hints? boolean whether remarks at the ends of lines are shown from the start; true unless said

--- The configuration of the client, as `lsp/warpcost.lua` has it, with the options laid over.
---@param options? warpcost.Options
---@return table
function M.configuration(options)
  options = options or {}
  local config = dofile(PLUGIN .. '/lsp/warpcost.lua')
  config.name = M.NAME
  config.cmd = options.cmd or config.cmd
  if options.settings and next(options.settings) then
    config.settings = { warpcost = options.settings }
  end
  return config
end

local ROOT_MARKERS = { 'warpcost.toml', 'pyproject.toml', 'compile_commands.json', '.git' }

--- The folder of the project that a buffer belongs to.
---@param buffer integer
---@return string?
function M.root_of(buffer)
  return vim.fs.root(buffer, ROOT_MARKERS)
end

--- Whether the server knows something of a buffer: CUDA files, and settings files, whose keys and values it completes.
---@param buffer integer
---@return boolean
function M.is_served(buffer)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
  return vim.bo[buffer].filetype ~= 'toml' or name == 'warpcost.toml' or name == 'pyproject.toml'
end

--- Starts the server for every CUDA file that is opened, and for those that are open.
---@param options? warpcost.Options
function M.setup(options)
  options = options or {}
  local group = vim.api.nvim_create_augroup('warpcost', { clear = true })
  if options.inlay_hints ~= false then
    vim.api.nvim_create_autocmd('LspAttach', {
      group = group,
      callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if client and client.name == M.NAME and vim.lsp.inlay_hint then
          vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
        end
      end,
    })
  end
  local config = M.configuration(options)
  if vim.lsp.enable then
    vim.lsp.config(M.NAME, config)
    vim.lsp.enable(M.NAME)
  else
    M._start_on_filetype(config, group)
  end
end

--- The way of 0.10, which has no `vim.lsp.enable`.
function M._start_on_filetype(config, group)
  -- What is given there replaces what the editor can do, and is not added to it.
  local able = vim.lsp.protocol.make_client_capabilities()
  config.capabilities = vim.tbl_deep_extend('force', able, config.capabilities or {})
  local function start(buffer)
    if vim.bo[buffer].buftype == '' and M.is_served(buffer) then
      local own = vim.tbl_extend('force', config, { root_dir = M.root_of(buffer) or false })
      own.root_dir = own.root_dir or nil
      vim.lsp.start(own, { bufnr = buffer })
    end
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = config.filetypes,
    callback = function(event)
      start(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(config.filetypes, vim.bo[buffer].filetype) then
      start(buffer)
    end
  end
end

--- Draws all hints of the client's buffers anew.
---
--- Neovim (0.10 to 0.12) takes lines for drawn that it draws before the answer to a refresh is there, and does not draw them
--- again when it comes.  Switched off and on, nothing counts as drawn.
function M.refresh_hints(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  for buffer in pairs(client and client.attached_buffers or {}) do
    local here = { bufnr = buffer }
    if vim.lsp.inlay_hint.is_enabled(here) then
      vim.lsp.inlay_hint.enable(false, here)
      vim.lsp.inlay_hint.enable(true, here)
    end
  end
end

--- Remembers what a server said of itself, and tells what listens (`User WarpcostStatus`).
function M.remember_status(client_id, status)
  statuses[client_id] = status
  vim.api.nvim_exec_autocmds('User', { pattern = 'WarpcostStatus', modeline = false, data = status })
end

--- A few words for a status line: empty where no server is attached to the buffer.
---@param buffer? integer
---@return string
function M.status(buffer)
  local client = M.client(buffer)
  if not client then
    return ''
  end
  local status = statuses[client.id]
  if not status then
    return 'warpcost'
  end
  if status.health ~= 'ok' then
    return ('warpcost: %s'):format(status.message or status.health)
  end
  return status.quiescent == false and 'warpcost ...' or 'warpcost'
end

--- What the client's server last said of itself.
function M.last_status(client_id)
  return statuses[client_id]
end

--- The client of a buffer, the current one unless said.
---@param buffer? integer
---@return vim.lsp.Client?
function M.client(buffer)
  return vim.lsp.get_clients({ bufnr = buffer or vim.api.nvim_get_current_buf(), name = M.NAME })[1]
end

return M
