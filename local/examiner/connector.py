"""The connector of an exam: a URL, and perhaps a command that starts it and may be killed."""
import http.client, os, signal, socket, subprocess, tempfile, time
from collections import namedtuple
from contextlib import suppress
from urllib.parse import urlsplit
from operators.command import Failure

Delivery = namedtuple("Delivery", "status seconds")  # status 0: no answer came
LONGEST_START = 60  # seconds


class Connector:
    """Takes webhooks at its URL. With a command, the exam starts it, and has its log."""

    def __init__(self, url, command, settings, longest):
        self.url, self.command, self.settings, self.process = url, command, settings, None
        self.longest = longest  # seconds that the exam waits for an answer
        place = urlsplit(url)
        if place.scheme != "http" or not place.hostname:
            raise Failure(f"{url} is no URL of a connector, such as http://127.0.0.1:8080/webhooks")
        self.host, self.port = place.hostname, place.port or 80
        self.path = (place.path or "/") + ("?" + place.query if place.query else "")
        self.log = tempfile.NamedTemporaryFile() if command else None

    def start(self):
        if self.command:
            own = {name: value for name, value in os.environ.items() if not name.startswith("CONNECTOR_")}
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", self.command], env={**own, **self.settings}, stdin=subprocess.DEVNULL,
                stdout=self.log, stderr=self.log, start_new_session=True)
        deadline = time.monotonic() + LONGEST_START
        while not self.listens():
            if self.process and self.process.poll() is not None:
                raise Failure(f"the connector ends with {self.process.returncode}: {self.lines()[-300:].strip()}")
            if time.monotonic() > deadline and self.command:
                raise Failure(f"the connector does not listen at {self.url} after {LONGEST_START} s")
            time.sleep(0.02)

    def listens(self):
        with suppress(OSError), socket.create_connection((self.host, self.port), 5):
            return True
        return False

    def kill(self, with_signal=signal.SIGKILL):
        """Ends the connector and all that it has started."""
        if self.process:
            with suppress(OSError):
                os.killpg(self.process.pid, with_signal)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(30)

    def restart(self):
        self.kill()
        self.start()

    @property
    def has_ended(self):
        return bool(self.process) and self.process.poll() is not None

    def lines(self):
        with open(self.log.name, errors="replace") as log:
            return log.read()

    def memory(self):
        """The bytes that its processes have in memory. None where that cannot be seen."""
        total = 0
        with suppress(OSError, ValueError):
            for name in filter(str.isdigit, os.listdir("/proc")):
                with suppress(OSError, IndexError):
                    with open(f"/proc/{name}/stat") as stat:
                        group = int(stat.read().rpartition(")")[2].split()[2])
                    if self.process and group == self.process.pid:
                        with open(f"/proc/{name}/statm") as memory:
                            total += int(memory.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return total or None

    def post(self, body, headers):
        """Delivers a request as a provider does."""
        begun = time.monotonic()
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.longest)
        status = 0
        try:
            connection.putrequest("POST", self.path)
            connection.putheader("Content-Length", str(len(body)))
            connection.putheader("User-Agent", "exam")
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders(body)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        return Delivery(status, time.monotonic() - begun)

    def begin(self):
        """A connection on which only the beginning of a request comes."""
        connection = socket.create_connection((self.host, self.port), timeout=10)
        with suppress(OSError):
            connection.sendall(f"POST {self.path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Le".encode())
        return connection
