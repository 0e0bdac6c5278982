"""The reference agent loop, and the scripted provider it can be watched with.

Needs the extra ``demo``; importing this package does not load its libraries, using it does.
"""

from .agents import Agent, Model, Price, RoundResult, Settings, Task, honest_claim
from .cancel import Cancellation
from .catalogue import Catalogue
from .extra import MissingExtra
from .loop import Runner, run_round
from .pieces import Listen, Piece
from .recovery import Recover
from .rules import Rules, ThinkingSetting
from .scripted_provider import SCRIPT_HEADER, ScriptedProvider
from .subagent import subagent_tool
from .tools import Hooks, Permission, Tool, ToolContext, ToolFailed

__all__ = [
    "SCRIPT_HEADER",
    "Agent",
    "Cancellation",
    "Catalogue",
    "Hooks",
    "Listen",
    "MissingExtra",
    "Model",
    "Permission",
    "Piece",
    "Price",
    "Recover",
    "RoundResult",
    "Rules",
    "Runner",
    "ScriptedProvider",
    "Settings",
    "Task",
    "ThinkingSetting",
    "Tool",
    "ToolContext",
    "ToolFailed",
    "honest_claim",
    "run_round",
    "subagent_tool",
]
