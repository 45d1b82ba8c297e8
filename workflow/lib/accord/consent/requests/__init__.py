"""What people ask for, read, ordered and recorded."""
