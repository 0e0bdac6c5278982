"""The screen in a browser on this machine: textual-serve's app, with a token at its door. Needs the extra ``web``."""
