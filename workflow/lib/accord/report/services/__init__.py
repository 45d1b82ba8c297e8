"""What the page of a Rapid Test tells a buyer of face recognition: which service, for whom worse, how sure."""
