"""Acting with approval: what a tool proposes is kept, a person decides about it, and what it does is done once and can be undone."""

from brain.approvals.approval import STATES, Approval, Change
from brain.approvals.desk import Approvals, Shown
from brain.approvals.finishing import again, finish
from brain.approvals.kinds import KINDS
from brain.approvals.rights import RULES

__all__ = ["KINDS", "RULES", "STATES", "Approval", "Approvals", "Change", "Shown", "again", "finish"]
