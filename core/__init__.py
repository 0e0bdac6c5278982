"""The part of roundwatch that knows nothing of a screen: events, verdicts, wires, texts, hub, runner."""
