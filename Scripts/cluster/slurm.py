"""A Slurm cluster of several nodes on this machine: its own key, ports and folders, on the loopback device only."""

import os
import pwd
import re
import signal

from processes import check, descendants, is_alive, is_halted, open_files, program, run, send, start, stop, wait_for
from web import free_ports

NODES = 3
CONFIGURATION = """
ClusterName=check
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
# Nothing listens where other machines could reach it.
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
CredType=cred/munge
# How long a task waits that is in the queue again: two minutes if nothing is said, and 5 s is the least.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
# Without control groups and without root.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
# Nodes are lost when the check says so.
SlurmdTimeout=3600
ReturnToService=1
KillWait=2
MinJobAge=3600
SlurmdParameters=config_overrides
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
NodeName=n[1-{nodes}] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    def __init__(self, folder):
        self.folder, self.nodes, self.daemons = folder, {}, []
        self.environment = {**os.environ, "SLURM_CONF": f"{folder}/slurm.conf"}
        # Variables of a cluster that this check runs on would be taken for this one's.
        for name in [name for name in self.environment if name.startswith(("SLURM_", "SBATCH_")) and name != "SLURM_CONF"]:
            del self.environment[name]

    def start(self):
        os.makedirs(f"{self.folder}/state")
        port = free_ports(NODES + 1)
        with open(f"{self.folder}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                folder=self.folder, user=pwd.getpwuid(os.getuid()).pw_name, port=port, first=port + 1, last=port + NODES,
                nodes=NODES))
        with open(f"{self.folder}/cgroup.conf", "w", encoding="utf-8") as file:
            file.write("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        with open(os.open(f"{self.folder}/munge.key", os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(os.urandom(128))
        self.daemons.append(start(
            ["munged", "--foreground", f"--key-file={self.folder}/munge.key", f"--socket={self.folder}/munge.socket",
             f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log",
             f"--seed-file={self.folder}/munge.seed"], log=f"{self.folder}/munge.out"))
        wait_for(lambda: os.path.exists(f"{self.folder}/munge.socket"), "munged answers", 20)
        self.daemons.append(start(["slurmctld", "-D", "-i"], log=f"{self.folder}/slurmctld.out", env=self.environment))
        for number in range(NODES):
            self.start_node(f"n{number + 1}")
        wait_for(lambda: self.states() == {name: "IDLE" for name in self.nodes}, "all nodes are idle", 60)

    def start_node(self, name):
        os.makedirs(f"{self.folder}/spool-{name}", exist_ok=True)
        self.nodes[name] = start(["slurmd", "-D", "-N", name], log=f"{self.folder}/{name}.out", env=self.environment)

    def stop(self):
        for process in [*self.nodes.values(), *self.daemons[::-1]]:
            stop(process)

    def ask(self, *command, statuses=(0,)):
        return run(list(command), statuses=statuses, env=self.environment)

    def states(self):
        said = self.ask("scontrol", "show", "node", "--oneliner", statuses=(0, 1))
        return dict(re.findall(r"NodeName=(\S+) .* State=([A-Z]+)", said))

    # Jobs

    def submit(self, array, script, *words, environment=None):
        """Submits an array, and returns its number."""
        return run(["sbatch", "--parsable", f"--array={array}", f"--output={self.folder}/job-%A-%a.out", script, *words],
                   env={**self.environment, **(environment or {})}).strip()

    def jobs(self, array):
        """What Slurm knows of the tasks of an array: state, exit status, how often it was begun again."""
        said = self.ask("scontrol", "show", "job", array, "--oneliner")
        found = {}
        for line in said.splitlines():
            words = dict(re.findall(r"(\S+?)=(\S*)", line))
            # Those that are not begun yet stand in one line together; a job that is no array has no task.
            found[words.get("ArrayTaskId")] = (words["JobState"], words["ExitCode"], int(words["Restarts"]))
        return found

    def is_over(self, array):
        return all(state not in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED")
                   for state, _, _ in self.jobs(array).values())

    # Faults

    def watchers(self, node):
        """The processes that watch over the jobs of a node: slurmstepd, by the log that they write."""
        return [process for process in descendants(os.getpid())
                if "slurmstepd" in program(process) and f"{self.folder}/{node}.log" in open_files(process)]

    def lose(self, node, spared=None):
        """The daemons of a node are killed, and the controller is told that it is lost. What ran there is killed with them.

        spared: a worker that lives on; it stands still before and after.
        """
        watchers = self.watchers(node)
        check(watchers, f"{node} has no job")
        jobs = [] if spared else [process for watcher in watchers for process in descendants(watcher)]
        self.nodes[node].kill()
        self.nodes[node].wait()
        for process in watchers:
            # So that it tells nobody what becomes of its job.
            send(process, signal.SIGSTOP)
            wait_for(lambda process=process: is_halted(process), "slurmstepd stands still")
        if spared:
            # What stands still when it loses its parent would be told to end, by the kernel. It goes on for a few milliseconds.
            send(spared, signal.SIGCONT)
        # For the same reason children come first.
        gone = sorted(jobs, reverse=True) + watchers
        for process in gone:
            send(process, signal.SIGKILL)
        wait_for(lambda: not any(is_alive(process) for process in gone), f"all of {node} is gone")
        if spared:
            send(spared, signal.SIGSTOP)
            wait_for(lambda: is_halted(spared), "a worker stands still")
        self.ask("scontrol", "update", f"nodename={node}", "state=down", "reason=lost")

    def resume(self, node):
        self.start_node(node)
        self.ask("scontrol", "update", f"nodename={node}", "state=resume")
        wait_for(lambda: self.states()[node] in ("IDLE", "ALLOCATED", "MIXED"), f"{node} is back", 60)

