"""What becomes of the images of a shard: what people are asked, what they decided, and what follows."""
