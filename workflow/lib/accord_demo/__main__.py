"""`python -m accord_demo OUT`: the delivery of the demo, or another like it."""

from accord.__main__ import run
from accord_demo import deliver

if __name__ == "__main__":
    run(deliver.main)
