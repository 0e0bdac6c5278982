"""The app's own four themes; meaning never stands on their colours alone."""

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

HIGH_CONTRAST = Theme(
    name="roundwatch-high-contrast",
    primary="#5cc8ff",
    secondary="#ffffff",
    accent="#ffe600",
    success="#3dff7f",
    warning="#ffc400",
    error="#ff6b6b",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    variables={
        "border": "#ffe600",
        "border-blurred": "#9a9a9a",
        "text-muted": "#d0d0d0",
        "text-error": "#ffb0b0",
        "block-cursor-background": "#0050a0",
        "block-cursor-blurred-background": "#303030",
    },
)

MONOCHROME = Theme(
    name="roundwatch-monochrome",
    primary="#e6e6e6",
    secondary="#b8b8b8",
    accent="#ffffff",
    success="#e6e6e6",
    warning="#e6e6e6",
    error="#ffffff",
    foreground="#e6e6e6",
    background="#101010",
    surface="#101010",
    panel="#242424",
    dark=True,
    variables={
        "border": "#ffffff",
        "border-blurred": "#5a5a5a",
        "text-muted": "#adadad",
        "text-primary": "#e6e6e6",
        "text-success": "#e6e6e6",
        "text-warning": "#e6e6e6",
        "text-error": "#ffffff",
        "block-cursor-background": "#5c5c5c",
        "block-cursor-blurred-background": "#333333",
    },
)

THEMES: tuple[Theme, ...] = (DARK, LIGHT, HIGH_CONTRAST, MONOCHROME)
