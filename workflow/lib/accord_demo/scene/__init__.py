"""The world around rendered people: rooms, streets, objects, camera, light and rasteriser."""
