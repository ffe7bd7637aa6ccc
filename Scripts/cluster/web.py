"""A web on the loopback device, a catalog of it, and what its server saw."""

import collections
import contextlib
import csv
import os
import random
import re
import shutil
import socket

from processes import Failed, check, run, start, stop, wait_for

ADDRESSES, DOMAINS, ROWS_OF_DOMAIN = 20, 20, 10
PHOTOGRAPHS = "/usr/share/backgrounds/mate/nature"
# The most that a task may ask of one host.
RATE, PER_HOST = 6, 2
LIMITS = ["--rate", str(RATE), "--per-host", str(PER_HOST), "--robots", "--proxy", "off"]
CONFIGURATION = """
daemon off;
worker_processes 1;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    log_format asked '$http_host|$msec|$request_time|$status|$http_user_agent|$uri';
    access_log {folder}/access.log asked;
    types {{ image/jpeg jpg; }}
    keepalive_requests 100000;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        {listens}
        root {folder}/root;
        location /slow/ {{ limit_rate 12k; }}
    }}
}}
"""


def free_ports(count):
    """Ports in a row that nobody listens on."""
    for _ in range(100):
        first = random.randrange(21000, 32000)
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + count):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first
    raise Failed("there are no free ports")


class Web:
    """Hosts with addresses, which answer at once, and domains of two hosts each, which take their time."""

    def __init__(self, folder, program):
        self.folder, self.program, self.process = folder, program, None
        self.port = free_ports(1)
        self.catalog = os.path.join(folder, "photos.csv")
        photos = os.path.join(folder, "photos")
        os.makedirs(folder)
        run([program, "develop", PHOTOGRAPHS, "--output", photos, "--filter", "none", "--size", "400", "--quiet"])
        names = sorted(name for name in os.listdir(photos) if name.endswith(".jpg"))
        for kind in "fast", "slow":
            os.makedirs(os.path.join(folder, "root", kind))
            for number, name in enumerate(names):
                shutil.copy(os.path.join(photos, name), os.path.join(folder, "root", kind, f"{number}.jpg"))
        with open(os.path.join(folder, "root", "robots.txt"), "w", encoding="utf-8") as file:
            file.write("User-agent: *\nDisallow: /private/\n")
        self.rows = []
        for number in range(ADDRESSES + DOMAINS):
            for turn in range(ROWS_OF_DOMAIN):
                if number % 2:
                    host, kind = f"127.0.7.{number // 2 + 1}", "fast"
                else:
                    host, kind = f"img{turn % 2}.site{number // 2}.localhost", "slow"
                photo = "gone" if (turn + number) % 9 == 8 else (turn + number) % len(names)
                self.rows.append((f"photo \"{turn}\", {host}", f"http://{host}:{self.port}/{kind}/{photo}.jpg?{turn}"))
        with open(self.catalog, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("name", "url"), *self.rows])

    def start(self):
        addresses = ["127.0.0.1"] + [f"127.0.7.{number + 1}" for number in range(ADDRESSES)]
        with open(os.path.join(self.folder, "nginx.conf"), "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                folder=self.folder, user="user root;" if os.getuid() == 0 else "",
                listens=" ".join(f"listen {address}:{self.port};" for address in addresses)))
        self.process = start(["nginx", "-p", self.folder, "-e", f"{self.folder}/error.log", "-c", f"{self.folder}/nginx.conf"],
                             log=f"{self.folder}/nginx.out")
        wait_for(lambda: self.answers() or self.process.poll() is not None, "nginx answers")
        check(self.process.poll() is None, f"nginx did not start: {self.folder}/error.log")

    def answers(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def stop(self):
        stop(self.process)

    def forget(self):
        """Lets what is asked from now on be another run's."""
        os.truncate(os.path.join(self.folder, "access.log"), 0)

    def requests(self):
        """What was asked for: host, begin, end, worker, path."""
        with open(os.path.join(self.folder, "access.log"), encoding="utf-8") as file:
            for line in file:
                host, end, took, status, worker, path = line.rstrip("\n").split("|")
                # Without a status the client went away.
                check(status in ("200", "404", "499"), f"the server answered {status}: {line}")
                yield host.partition(":")[0], float(end) - float(took), float(end), worker, path


def domain(host):
    """What is kept in one task."""
    return re.sub(r"^img\d\.", "", host)


def most_at_once(spans):
    # The server's clock has milliseconds, and who has the last byte may ask on before the end is noted.
    moments = sorted([(begin, 1) for begin, _ in spans] + [(max(begin, end - 0.02), -1) for begin, end in spans])
    count = most = 0
    for _, step in moments:
        count += step
        most = max(most, count)
    return most


def shortest(begins, count):
    """The shortest time in which so many requests were begun."""
    begins = sorted(begins)
    return min((last - first for first, last in zip(begins, begins[count - 1:])), default=float("inf"))


def check_politeness(requests, tasks, each_task_once):
    """No host in two tasks, and none above its limits: those of each worker or, where no task ran twice at once, of all together.

    requests: as Web tells of them. tasks: the task of each worker.
    """
    requests = list(requests)
    check(requests, "the server saw nothing")
    tasks_of, askers = collections.defaultdict(set), collections.defaultdict(list)
    robots = collections.Counter()
    for host, begin, end, worker, path in requests:
        tasks_of[domain(host)].add(tasks[worker])
        if path == "/robots.txt":
            robots[host, worker] += 1
        askers[host, None if each_task_once else worker].append((begin, end))
    check(len(tasks_of) == ADDRESSES + DOMAINS, f"the server saw {len(tasks_of)} domains")
    for name, found in tasks_of.items():
        check(len(found) == 1, f"{name} was asked by the tasks {sorted(found)}")
    check(set(robots.values()) == {1}, "a worker asked a host for robots.txt more than once")
    at_once = max(most_at_once(spans) for spans in askers.values())
    span = min(shortest([begin for begin, _ in spans], RATE + 1) for spans in askers.values())
    check(at_once == PER_HOST, f"a host had {at_once} transfers at once, and {PER_HOST} are allowed and to be expected")
    # The server writes when it saw a request, which a busy machine delays.
    check(0.8 < span < 3, f"a host had {RATE + 1} requests in {span:.3f} s, and {RATE} in a second are allowed and to be expected")
    whose = "a host" if each_task_once else "a host by a worker"
    return (f"{len(requests)} requests to {len({host for host, *_ in requests})} hosts, none in two tasks; of {whose} at most "
            f"{at_once} at once, and any {RATE + 1} in {span:.3f} s or more")
