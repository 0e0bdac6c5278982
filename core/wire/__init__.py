"""Provider wire formats, sans-I/O: bytes of a response in, round events out."""

from .base import Translator
from .faults import Fault
from .formats import WIRES, UnknownWire, translator

__all__ = ["WIRES", "Fault", "Translator", "UnknownWire", "translator"]
