"""One file that carries a workspace to another machine. It holds what the graph is made from, not the graph: it is made anew there,
by the checks and in the form of the version that loads it, and is the same graph.
"""

from brain.snapshot.parts import PARTS, chosen
from brain.snapshot.reading import Snapshot, read
from brain.snapshot.restoring import Restored, load
from brain.snapshot.writing import save

__all__ = ["PARTS", "Restored", "Snapshot", "chosen", "load", "read", "save"]
