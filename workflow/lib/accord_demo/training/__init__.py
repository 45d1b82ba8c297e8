"""What the embedded inpainting model is trained on."""
