"""What is made for a release: renditions, faces, shards' tables, what may be said."""
