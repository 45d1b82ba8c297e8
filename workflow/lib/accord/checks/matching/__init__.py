"""Which pictures, faces and scenes are the same."""
