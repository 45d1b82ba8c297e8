"""The first process of a test cluster: mounts its own /run and /etc/slurm, starts the daemons, and kills nodes.

Started by slurm.py in namespaces of its own; reads the names of nodes to kill, line by line, and ends, and with it all
that runs in the cluster, when there is no one left to send any.
"""

import os
import secrets
import select
import socket
import struct
import subprocess
import sys
from fcntl import ioctl
from pathlib import Path

RUN = Path("/run")
# A node is a process namespace again: killing its first process ends all that runs on it, as a power cut would.
NODE = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
PORTS = {"node1": 17001, "node2": 17002, "node3": 17003}
# Memory is enforced by Slurm's own polling, so no control groups are needed.
SLURM = """\
ClusterName=accord
SlurmctldHost=localhost(127.0.0.1)
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=/run/slurm/controller
SlurmdSpoolDir=/run/slurm/%n
SlurmctldPidFile=/run/slurm/controller.pid
SlurmdPidFile=/run/slurm/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=2
MpiDefault=none
SlurmdTimeout=5
KillWait=2
MinJobAge=900
NodeName=node[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=17001-17002 CPUs=4 RealMemory=64000
NodeName=node3 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17003 CPUs=4 RealMemory=64000 Gres=gpu:pretended:2
PartitionName=cpu Nodes=node[1-2] Default=YES
PartitionName=gpu Nodes=node3
"""
GPUS = "NodeName=node3 Name=gpu Type=pretended File=/run/gpu[0-1]\n"
SIOCSIFFLAGS, SIOCSIFADDR, UP_AND_RUNNING = 0x8914, 0x8916, 0x41
# One of TEST-NET's: the resolver works only where there is an address beside the loopback's.
ADDRESS = "192.0.2.1"


def main(logs: Path, disks: list[str]) -> None:
    raise_network()
    lay_out(disks)
    start(logs / "munge.log", "munged", "--foreground", "--key-file=/run/munge/key", "--seed-file=/run/munge/seed")
    start(logs / "controller.log", "slurmctld", "-D", "-c")
    nodes = {name: start(logs / f"{name}.log", *NODE, "slurmd", "-D", "-N", name) for name in PORTS}
    print("started", flush=True)
    while name := next_line().strip():
        nodes[name].kill()


def raise_network() -> None:
    """Bring up the loopback device, which is all the network that there is here, with a second address."""
    socket.sethostname("localhost")
    address = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(ADDRESS))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        ioctl(opened, SIOCSIFFLAGS, struct.pack("16sh", b"lo", UP_AND_RUNNING))
        ioctl(opened, SIOCSIFADDR, struct.pack("16s", b"lo:1") + address)


def lay_out(disks: list[str]) -> None:
    """Mount and fill what the daemons need."""
    for folder, size in (("/run", 64), ("/etc/slurm", 1), *(disk.rsplit("=", 1) for disk in disks)):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=755", "tmpfs", folder], check=True)
    for folder in ("munge", "slurm/controller", *(f"slurm/{name}" for name in PORTS)):
        (RUN / folder).mkdir(parents=True)
    for index in range(2):
        # Slurm sets CUDA_VISIBLE_DEVICES only for devices: these are the null device.
        os.mknod(RUN / f"gpu{index}", 0o20666, os.makedev(1, 3))
    (RUN / "munge/key").touch(0o600)
    (RUN / "munge/key").write_bytes(secrets.token_bytes(128))
    Path("/etc/slurm/slurm.conf").write_text(SLURM)
    Path("/etc/slurm/gres.conf").write_text(GPUS)


def start(log: Path, *command: str) -> subprocess.Popen:
    with log.open("ab") as opened:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=opened, stderr=opened)


def next_line() -> str:
    """The next line, or "" when there will be none; buries the dead meanwhile, as a first process must."""
    while not select.select([sys.stdin], [], [], 1)[0]:
        bury()
    return sys.stdin.readline()


def bury() -> None:
    while os.waitpid(-1, os.WNOHANG)[0]:
        pass


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
