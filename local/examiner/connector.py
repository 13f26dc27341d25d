"""The connector of an exam: a URL, and perhaps a command that starts it and may be killed."""
import http.client, resource, socket, time
from collections import namedtuple
from contextlib import suppress
from urllib.parse import urlsplit
from operators.command import Failure
from .program import Program

Delivery = namedtuple("Delivery", "status seconds")  # status 0: no answer came
LONGEST_START = 60  # seconds


class Connector(Program):
    """Takes webhooks at its URL. With a command, the exam starts it, and has its log."""

    def __init__(self, url, command, settings, longest):
        super().__init__(command, settings)
        self.url = url
        self.longest = longest  # seconds that the exam waits for an answer
        place = urlsplit(url)
        if place.scheme != "http" or not place.hostname:
            raise Failure(f"{url} is no URL of a connector, such as http://127.0.0.1:8080/webhooks")
        self.host, self.port = place.hostname, place.port or 80
        self.path = (place.path or "/") + ("?" + place.query if place.query else "")

    def start(self):
        if self.command:
            deadline = time.monotonic() + 5  # for what was killed to be gone
            while self.listens():
                if time.monotonic() > deadline:
                    raise Failure(f"another program listens at {self.url}")
                time.sleep(0.02)
            super().start()
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

    def beside(self):
        """Another process of the same command, with the same settings but for the port."""
        with socket.create_server((self.host, 0)) as free:
            port = free.getsockname()[1]
        url = f"http://{self.host}:{port}{self.path}"
        return Connector(url, self.command, {**self.settings, "PORT": str(port)}, self.longest)

    def limit_files(self, size):
        """Lets no file grow beyond this size, as a full disk does. Returns whether this system can."""
        limited = []
        for each in self.processes():
            with suppress(OSError, AttributeError):
                resource.prlimit(each, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
                limited.append(each)
        return bool(limited)

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
