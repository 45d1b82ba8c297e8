"""Casual Conversations: votes on skin, the mini set, precision by group, and detectors of deepfakes."""
