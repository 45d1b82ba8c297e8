"""Policies: what becomes of an image about which nobody has decided yet, queue by queue."""

from collections.abc import Mapping

from accord.findings import FAIL, PASS, REVIEW

HOLD, DROP, PASSES, PAINT = "hold", "drop", "pass", "paint"
WORDS = {
    HOLD: (REVIEW, "awaits a reviewer"),
    DROP: (FAIL, "excluded, not reviewed yet"),
    PASSES: (PASS, "passed, not reviewed yet"),
    PAINT: (PASS, "painted over, not reviewed yet"),
}
"""Policy -> the verdict on an image, and why."""


def policy_of(queue: str, policies: Mapping[str, str], *, has_region: bool) -> str:
    """The policy of a queue; where it says to paint and there is no region that could be, the image waits."""
    policy = policies.get(queue, HOLD)
    return HOLD if policy == PAINT and not has_region else policy
