"""What was drawn on pictures: annotators' drawings, people's outlines."""
