"""The folder of a release: packing, records, files."""
