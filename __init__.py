"""Never shipped: tells tools that read imports as paths that core, tui and locales are siblings."""
