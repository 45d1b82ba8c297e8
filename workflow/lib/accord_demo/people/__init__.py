"""Rendered people: shape, skin, eyes, hair, clothes and pose as meshes with labels."""
