"""What services of face recognition are asked: whose pictures, which faces, which pairs. Pure functions of tables."""
