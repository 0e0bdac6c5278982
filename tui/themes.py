"""The app's own themes, one dark and one light; meaning never stands on their colours alone."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="roundwatch-dark",
    primary="#6ea8fe",
    secondary="#8b949e",
    accent="#e3b341",
    success="#57c98a",
    warning="#f0a64b",
    error="#ff7b72",
    foreground="#d7dde5",
    background="#0f1419",
    surface="#0f1419",
    panel="#1b232c",
    dark=True,
    variables={
        "border": "#6ea8fe",
        "border-blurred": "#3b4754",
        "block-cursor-background": "#2c4a73",
        "block-cursor-blurred-background": "#222c38",
    },
)

LIGHT = Theme(
    name="roundwatch-light",
    primary="#1f5fbf",
    secondary="#5c6670",
    accent="#8a5a00",
    success="#1a7f4b",
    warning="#a15c00",
    error="#c1272d",
    foreground="#1f2730",
    background="#fbfbf9",
    surface="#fbfbf9",
    panel="#e9ebee",
    dark=False,
    variables={
        "border": "#1f5fbf",
        "border-blurred": "#b4bcc5",
        "block-cursor-background": "#c7dbf7",
        "block-cursor-blurred-background": "#e3e8ee",
    },
)

THEMES: tuple[Theme, ...] = (DARK, LIGHT)
