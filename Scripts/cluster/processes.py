"""The processes of a check: each is started here or descends from one that was, and is ended by its own id."""

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
CLONE_NEWUSER, CLONE_NEWNET, SIOCSIFFLAGS, IFF_UP = 0x10000000, 0x40000000, 0x8914, 1
libc = ctypes.CDLL(None, use_errno=True)


class Failed(Exception):
    """Something that was to hold does not."""


def check(condition, sentence):
    if not condition:
        raise Failed(sentence)


def adopt_orphans():
    """Makes this process the parent of all its descendants that lose theirs, so that none gets out of sight."""
    check(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0, "the system does not let this process adopt orphans")


def end_with_parent():
    """Called in a child before its program begins."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def leave_the_network():
    """Gives this process, and what it starts from now on, a network of its own, which has the loopback device only."""
    user, group, is_root = os.getuid(), os.getgid(), os.geteuid() == 0
    check(libc.unshare(CLONE_NEWNET | (0 if is_root else CLONE_NEWUSER)) == 0, "the system gives this process no network of its own")
    if not is_root:
        for name, text in ("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"):
            with open(f"/proc/self/{name}", "w", encoding="utf-8") as file:
                file.write(text)
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def start(command, log=None, **options):
    """Starts a program that ends with this process, however that ends."""
    with open(log, "ab") if log else contextlib.nullcontext(subprocess.DEVNULL) as output:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                preexec_fn=end_with_parent, **options)


def run(command, statuses=(0,), **options):
    """Runs a program to its end, and returns what it said."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **options)
    check(done.returncode in statuses, f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def wait_for(condition, what, limit=120):
    """Waits until a condition holds, and returns what it returned."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise Failed(f"{limit} s were not enough: {what}")


def parents():
    """The parent of each process that is not just waiting to be reaped."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError):
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                found[int(name)] = int(parent)
    return found


def descendants(ancestor):
    """The processes below one, without itself."""
    above = parents()
    found, fresh = set(), {ancestor}
    while fresh:
        fresh = {process for process, parent in above.items() if parent in fresh} - found
        found |= fresh
    return found


def open_files(process):
    files = []
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{process}/fd"):
            with contextlib.suppress(OSError):
                files.append(os.readlink(f"/proc/{process}/fd/{number}"))
    return files


def check_listeners():
    """What descends from this process listens on the loopback device only. Returns how many ports it listens on."""
    files = {file: process for process in descendants(os.getpid()) for file in open_files(process)}
    count = 0
    for table in "tcp", "tcp6":
        with open(f"/proc/net/{table}", encoding="utf-8") as file:
            for words in map(str.split, file.read().splitlines()[1:]):
                address, listens, process = words[1].partition(":")[0], words[3] == "0A", files.get(f"socket:[{words[9]}]")
                if listens and process:
                    # The first byte of an address stands last; ::ffff:127.0.0.1 is one, too.
                    check(address.endswith("7F") if table == "tcp" else address == "0" * 24 + "01000000"
                          or address.startswith("0" * 16 + "FFFF0000") and address.endswith("7F"),
                          f"this listens for other machines: {command_line(process)} ({words[1]})")
                    count += 1
    return count


def command_line(process):
    with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as file:
        # A process that names itself leaves zeros behind the name.
            return file.read().decode(errors="replace").rstrip("\0").split("\0")
    return []


def environment(process):
    with contextlib.suppress(OSError), open(f"/proc/{process}/environ", "rb") as file:
        lines = file.read().decode(errors="replace").split("\0")
        return dict(line.split("=", 1) for line in lines if "=" in line)
    return {}


def program(process):
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{process}/exe")
    return ""


def state(process):
    """The letter that ps shows; X for one that is gone."""
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[0]
    return "X"


def is_alive(process):
    return state(process) not in "ZX"


def is_halted(process):
    return state(process) in "TZX"


def send(process, number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


def kill(process):
    """Kills a process and waits until it is gone."""
    send(process, signal.SIGKILL)
    wait_for(lambda: not is_alive(process), f"process {process} is gone")


def stop(process, limit=10):
    """Ends a process that was started here."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def stop_all():
    """Ends all that descends from this process, each by its id, until nothing is left."""
    for number in [signal.SIGTERM] * 2 + [signal.SIGKILL] * 40:
        left = descendants(os.getpid())
        for process in left:
            send(process, number)
            send(process, signal.SIGCONT)
        end = time.monotonic() + 2
        while left and time.monotonic() < end:
            reap()
            left = descendants(os.getpid())
            time.sleep(0.02)
        reap()
        if not left:
            return
    raise Failed(f"processes are left: {sorted(left)}")


def reap():
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
