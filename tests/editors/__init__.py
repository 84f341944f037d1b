"""The real editors under test: Neovim and VS Code with our clients, started as a user starts them."""
