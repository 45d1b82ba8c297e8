"""Annotators of faces: a frozen encoder's features, and a small network that says an attribute's value."""
