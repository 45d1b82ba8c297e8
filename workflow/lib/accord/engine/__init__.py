"""Engine: runs steps, reads and writes their tables, and tells how a file came about."""
