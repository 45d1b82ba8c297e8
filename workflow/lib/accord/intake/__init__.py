"""Intake: what vendors handed in, as typed tables and image bundles, per shard; everything refused is listed."""
