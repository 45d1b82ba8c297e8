"""The CC0 mesh, morphs, rig and masks of the demo's people (see LICENSE.md)."""
