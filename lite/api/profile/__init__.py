"""The operators of a run: how long each took, and how near the machine's limits it came."""

from lite.api.profile.data import Event, OperandInfo, OperatorProfile
from lite.api.profile.peak import MachinePeak
from lite.api.profile.profile import Profile

__all__ = ["Event", "MachinePeak", "OperandInfo", "OperatorProfile", "Profile"]
