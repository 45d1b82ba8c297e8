"""The page of detectors of made faces."""
