"""A delivery as files and tables: untrusted, read within bounds, split into shards."""
