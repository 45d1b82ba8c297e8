"""Networks and files of weights that adapters build on."""
