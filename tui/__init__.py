"""The terminal UI and the command line."""
