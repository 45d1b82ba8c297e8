"""What is cut out of videos."""
