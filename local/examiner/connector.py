"""The connector of an exam: a URL, and perhaps a command that starts it and may be killed."""
import http.client, os, resource, shutil, signal, socket, subprocess, tempfile, threading, time
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
        self.log = tempfile.NamedTemporaryFile(buffering=0) if command else None

    def start(self):
        if self.command:
            own = {name: value for name, value in os.environ.items() if not name.startswith("CONNECTOR_")}
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", self.command], env={**own, **self.settings}, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
            # A pipe, not the file: what limits its files must not keep it from writing a log.
            copying = threading.Thread(target=shutil.copyfileobj, args=[self.process.stdout.raw, self.log], daemon=True)
            copying.start()
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

    def beside(self):
        """Another process of the same command, with the same settings but for the port."""
        with socket.create_server((self.host, 0)) as free:
            port = free.getsockname()[1]
        url = f"http://{self.host}:{port}{self.path}"
        return Connector(url, self.command, {**self.settings, "PORT": str(port)}, self.longest)

    def processes(self):
        """The numbers of all that it has started."""
        for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
            with suppress(OSError, IndexError, ValueError), open(f"/proc/{name}/stat") as stat:
                if self.process and int(stat.read().rpartition(")")[2].split()[2]) == self.process.pid:
                    yield int(name)

    def limit_files(self, size):
        """Lets no file grow beyond this size, as a full disk does. Returns whether this system can."""
        limited = []
        for each in self.processes():
            with suppress(OSError, AttributeError):
                resource.prlimit(each, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
                limited.append(each)
        return bool(limited)

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
        for each in self.processes():
            with suppress(OSError, IndexError, ValueError), open(f"/proc/{each}/statm") as memory:
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
