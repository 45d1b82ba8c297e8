"""Erasure: a person who withdrew goes, and all that was made from them; a machine that can be stopped anywhere."""
