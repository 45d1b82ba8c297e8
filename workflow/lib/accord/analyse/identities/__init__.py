"""Who is who among faces that nobody labelled, told from the confidences of several recognition services.

After "A Rapid Test for Accuracy and Bias of Face Recognition Technology" (the Rapid Test). Pure functions of arrays.
"""
