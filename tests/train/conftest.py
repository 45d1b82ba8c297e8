"""One thread for torch, as in jobs: sums come out the same however many cores there are."""

from accord.models.adapters.nets.torch_nets import settle

settle()
