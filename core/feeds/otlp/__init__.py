"""OpenTelemetry's GenAI spans and logs, received over HTTP on a hub's own port and told as rounds."""

from .assembler import Assembler
from .receiver import OtlpReceiver
from .span import Log, Span

__all__ = ["Assembler", "Log", "OtlpReceiver", "Span"]
