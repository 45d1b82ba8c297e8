"""What a report reads: tables, releases, measures, exports."""
