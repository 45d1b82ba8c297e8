"""The arithmetic of published figures."""
