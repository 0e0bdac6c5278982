"""The text tables, one TOML file a language."""
