"""Erasure of people of an archive: who they are, their rows in files of one's own, and what is done."""
