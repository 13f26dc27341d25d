"""Receives a provider's webhooks, keeps their events in an outbox, and answers. Then it sends them.

Python 3.9 or newer, no packages. It needs outbox.py and providers.py beside it, and a disk that outlives it.
Settings: PROVIDER, such as github, shopify or stripe; WEBHOOK_SECRET, and WEBHOOK_SECRET_2 while one is being replaced;
OUTBOX (a file); PORT (8080); WEBHOOK_URL, if the provider signs the URL and a proxy changes it; MAX_BODIES (bytes that
webhooks may take together, 100 MB); CONNECTOR_API_URL, and either CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and
CONNECTOR_API_PASSWORD. docs/connectors.md explains the rules.
"""
import logging, os, re, resource, signal, socket, sqlite3, sys, threading, time
from contextlib import suppress
from http.client import HTTPMessage, LineTooLong
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from outbox import Outbox, Session, setting
from providers import Answer, Request, kind_of

LONGEST = 10  # seconds from a connection's beginning to the end of its request's body
SHORTEST = 0.5  # seconds that it has for that in any case, also while there are too many
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[0]  # -1 without a limit
MOST_CONNECTIONS = min(500, FILES // 2) if FILES > 0 else 500
LONGEST_STOP = 5  # seconds for open requests, after SIGTERM
MOST_HEAD = 65_536  # bytes of a request before its body
PIECE = 65_536  # bytes. So many of each body are taken even if others have all the memory


class Unreadable(Exception):
    """A body that does not come as it should."""


class Busy(Exception):
    """The bodies under way take all the memory that there is for them."""


class Headers(HTTPMessage):
    """The parser reads the parameters of a multipart type, in a time that grows with their square."""

    def get_content_type(self):
        return "text/plain"


class Head:
    """The lines before a body. The server of Python would take 6 MB of them, which no budget counts."""

    def __init__(self, file):
        self.file, self.free = file, MOST_HEAD

    def readline(self, size):
        line = self.file.readline(min(size, self.free + 1))
        self.free -= len(line)
        if self.free < 0 or b"\r" in line.rstrip(b"\r\n"):  # Python's parser makes lines of it, which nobody counts
            raise LineTooLong("head")  # the server answers 431
        return line

    def close(self):
        self.file.close()


class Budget:
    """How many bytes of bodies may still come. What a client only announces takes nothing."""

    def __init__(self, free):
        self.free, self.lock = free, threading.Lock()

    def take(self, size):
        with self.lock:
            if size > self.free:
                raise Busy
            self.free -= size

    def give(self, size):
        with self.lock:
            self.free += size


class OneLine(logging.Formatter):
    """A stranger may send line ends and escape sequences."""

    def formatMessage(self, record):
        return self.escaped(super().formatMessage(record))

    def formatException(self, info):
        return "\n".join("  " + self.escaped(line) for line in super().formatException(info).splitlines())

    @staticmethod
    def escaped(text):
        return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


class Server(ThreadingHTTPServer):
    """Gives each connection a thread, and a limited time to send its request: strangers may open many, and stall."""

    daemon_threads, block_on_close = True, False  # stop() waits, but not for ever
    request_queue_size = 1_000

    def __init__(self, *arguments):
        self.open, self.reading = set(), {}  # connections; since when those send their requests, the oldest first
        super().__init__(*arguments)

    def get_request(self):
        while len(self.reading) >= MOST_CONNECTIONS or len(self.open) >= 1.5 * MOST_CONNECTIONS:
            self.end_slow(SHORTEST)
            time.sleep(0.01)
        connection, address = super().get_request()
        self.open.add(connection)
        self.reading[connection] = time.monotonic()
        return connection, address

    def service_actions(self):  # twice a second, and at each new connection
        self.end_slow(LONGEST)

    def end_slow(self, seconds):
        for connection, since in self.reading.copy().items():
            if time.monotonic() - since < seconds:
                break
            self.reading.pop(connection, None)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # its thread then reads the end

    def shutdown_request(self, request):
        super().shutdown_request(request)
        self.reading.pop(request, None)
        self.open.discard(request)

    def handle_error(self, request, client_address):
        logging.info("%s has left: %s", client_address[0], sys.exc_info()[0].__name__)

    def stop(self):
        """Waits until open requests end, but not for long."""
        self.server_close()
        deadline = time.monotonic() + LONGEST_STOP
        while self.open and time.monotonic() < deadline:
            self.end_slow(1)
            time.sleep(0.01)


class Webhooks(BaseHTTPRequestHandler):
    MessageClass = Headers
    timeout = LONGEST  # seconds for a byte to come or to go

    def setup(self):
        super().setup()
        self.rfile = Head(self.rfile)

    def do_POST(self):
        self.rfile, body = self.rfile.file, bytearray()
        try:
            answer = self.receive(body)
        except Busy:
            answer = Answer(503, log="other bodies take all memory")
        except Unreadable:
            answer = Answer(400, log="the body is not readable")
        except Exception:
            logging.exception("a defect, perhaps in the provider's class")
            answer = Answer(503)
        finally:
            budget.give(max(0, len(body) - PIECE))
        if answer.log:
            level = logging.INFO if answer.status == 200 else logging.ERROR
            logging.log(level, "%s for a webhook from %s: %s", answer.status, self.client_address[0], answer.log)
        text = answer.text.encode()
        self.send_response(answer.status)
        own = ("Content-Type", answer.type), ("Content-Length", str(len(text))), ("Connection", "close")
        for header in *own, *answer.headers:
            self.send_header(*header)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def log_request(self, code="-", size="-"):  # without the query, which may have a secret
        self.log_message("%s %s %s", self.command, self.path.partition("?")[0], code)

    def log_message(self, form, *arguments):
        logging.info("%s " + form, self.client_address[0], *arguments)

    do_GET = do_HEAD = do_OPTIONS = do_PUT = do_PATCH = do_POST  # some providers test a URL so, or deliver

    def receive(self, body):
        path, _, query = self.path.partition("?")
        if path != "/webhooks":
            return Answer(404)
        try:
            refusal = self.read(body)
        except OSError:
            raise Unreadable from None
        if refusal:
            return refusal
        self.server.reading.pop(self.request, None)
        known = WEBHOOK_URL or "https://" + self.headers.get("Host", "") + path
        request = Request(self.command, known + ("?" + query if query else ""), self.headers, body)
        return provider.take(request, keep)

    def read(self, body):
        """Reads the body, unless it is too large. Then the answer says so."""
        is_chunked = self.headers.get("Transfer-Encoding", "").rpartition(",")[2].strip().lower() == "chunked"
        if not is_chunked and "Content-Length" not in self.headers:
            return Answer(411, log="it has no length") if self.command == "POST" else None
        for size in self.sizes() if is_chunked else [number(self.headers["Content-Length"].strip(), 10)]:
            if size > provider.most - len(body):
                return Answer(413, log=f"more than {provider.most} bytes")
            if len(body) + size > PIECE and size > budget.free:
                raise Busy
            while size:
                piece = self.rfile.read1(min(size, PIECE))
                if not piece:
                    raise Unreadable
                budget.take(max(0, len(body) + len(piece) - PIECE) - max(0, len(body) - PIECE))
                body += piece
                size -= len(piece)

    def sizes(self):  # of the chunks; a line has each size, and a line end follows each chunk
        while size := self.size():
            yield size
            self.rfile.readline(2)
        self.rfile.readline(2)

    def size(self):
        line = self.rfile.readline(1000).decode("latin-1")
        if not line.endswith("\n"):
            raise Unreadable
        return number(line.partition(";")[0].strip(), 16)


def number(text, base):
    if not re.fullmatch("[0-9A-Fa-f]{1,15}" if base == 16 else "[0-9]{1,15}", text):
        raise Unreadable
    return int(text, base)


def keep(*rows):
    """Keeps all events of a delivery, and all that is refused, or nothing. Returns why, then."""
    try:
        outbox.keep(*rows)
    except sqlite3.Error as error:
        return error


def send(session):
    try:
        outbox.send(session)
    except Exception:
        logging.exception("it cannot send")
        os._exit(1)  # so that it is started again


if __name__ == "__main__":
    log = logging.StreamHandler()
    log.setFormatter(OneLine("%(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[log])
    OUTBOX = setting("OUTBOX")
    WEBHOOK_URL = setting("WEBHOOK_URL", "https?://[^?#]+") if os.environ.get("WEBHOOK_URL") else None
    try:
        kind = kind_of(setting("PROVIDER"))
    except ValueError as error:
        sys.exit(f"PROVIDER: {error}")
    lines = os.environ.get("WEBHOOK_SECRET", "") + "\n" + os.environ.get("WEBHOOK_SECRET_2", "")
    secrets = [each.encode() for each in lines.splitlines() if each]
    if not secrets and not kind.gives_secret:
        sys.exit("WEBHOOK_SECRET is not set")
    provider = kind(secrets, OUTBOX + ".secret")
    budget = Budget(int(setting("MAX_BODIES", "[0-9]+", "100000000")))
    session = Session()
    try:
        outbox = Outbox(OUTBOX)
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"OUTBOX: {error}")
    threading.Thread(target=send, args=[session], daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # leaves the block below
    server = Server(("", int(setting("PORT", "[0-9]+", "8080"))), Webhooks)
    print(f"listening on port {server.server_port}", flush=True)
    try:
        server.serve_forever()
    finally:
        server.stop()
