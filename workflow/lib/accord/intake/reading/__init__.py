"""From a delivery's rows to typed rows of images, people and annotations."""
