"""Two versions side by side, and a release as others' tools read it."""
