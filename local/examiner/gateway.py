"""A gateway in front of the service. An exam can break it, and reads what a connector has asked through it."""
import http.client, json, re, socket, threading, time
from collections import namedtuple
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from operators.command import Failure
from .webhooks import MARK

EVENTS, LOGIN, REFRESH = "/api/webhook-events", "/api/auth/login", "/api/auth/refresh"
LONGEST_STALL = 60  # seconds
HALF = b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
Answer = namedtuple("Answer", "status headers body cut", defaults=[None])  # `cut`: bytes, then the connection ends
FORWARD, LOSE, CUT, STALL = "forward", "lose the answer", "cut", "stall"  # what a rule may say instead of an answer
EXPIRED = Answer(401, {"Content-Type": "application/problem+json", "WWW-Authenticate": 'Bearer error="invalid_token"'},
                 json.dumps({"type": "about:blank", "title": "Unauthorized", "status": 401, "code": "expired_token",
                             "detail": "the token has expired; log in again", "request_id": "exam"}).encode())


class Call:
    """A request of the connector: when it came, what it was about, and what it got."""

    def __init__(self, method, path, marks, token):
        self.method, self.at, self.path, self.marks, self.token = method, time.monotonic(), path, marks, token
        self.status, self.note = 0, ""
        self.seconds = 0.0  # until its answer

    def __str__(self):
        events = f" with {len(self.marks)} of the exam's events" if len(self.marks) > 1 else ""
        return f"{self.method} {self.path}{events}: {self.status or 'no answer'}{self.note}"


class Gateway:
    """Forwards requests to the service at a port. A rule may answer some of them in its place."""

    def __init__(self, service_port, port=0):
        self.service_port, self.calls, self.lock = service_port, [], threading.Lock()
        self.rules, self.goes_on = {}, threading.Event()  # rules by the beginning of a path
        self.lifetime, self.issued = None, {}  # how long new tokens live, if not as the service says; when each ends
        self.elsewhere = Elsewhere()
        self.server = None
        self.port = port
        self.open()
        self.url = f"http://127.0.0.1:{self.port}"

    def open(self):
        try:
            self.server = Server(("127.0.0.1", self.port), handler_of(self))
        except OSError as error:
            raise Failure(f"the gateway cannot listen on port {self.port}: {error.strerror}") from None
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=[0.05], daemon=True).start()

    def close(self):
        self.server.stop()

    @contextmanager
    def down(self):
        """Refuses connections, and cuts those that are open."""
        self.close()
        try:
            yield
        finally:
            self.open()

    @contextmanager
    def ruled(self, rule, path=EVENTS):
        """Asks the rule for each request of this path: it returns an answer, FORWARD, LOSE, CUT or STALL, or a
        function that makes another answer of the service's."""
        self.rules[path] = rule
        self.goes_on.clear()
        try:
            yield
        finally:
            self.goes_on.set()
            del self.rules[path]

    def count(self, path, since=0):
        return sum(call.path == path and call.at >= since for call in self.calls.copy())

    def settled(self):
        """How many requests of events the service has answered with 2xx."""
        return sum(call.path.startswith(EVENTS) and 200 <= call.status < 300 for call in self.calls.copy())

    def of(self, marks, since=0):
        """The requests that had one of these events."""
        marks = set(marks)
        return [call for call in self.calls.copy() if call.at >= since and not call.marks.isdisjoint(marks)]

    @property
    def tokens(self):
        return set(self.issued)

    def expire_all(self):
        """Ends all tokens, as their time does."""
        self.issued = dict.fromkeys(self.issued, 0)

    def handle(self, method, path, headers, body):
        """The answer to a request, or CUT or STALL."""
        token = (headers.get("Authorization") or "").partition(" ")[2]
        call = Call(method, path, frozenset(MARK.findall(body.decode("latin-1"))), token)
        with self.lock:
            self.calls.append(call)
        if token in self.issued and time.monotonic() > self.issued[token]:
            call.status, call.note = 401, " expired_token"
            return EXPIRED
        rule = next((rule for start, rule in list(self.rules.items()) if path.startswith(start)), None)
        done = rule(call) if rule else FORWARD
        if isinstance(done, Answer):
            call.status, call.note = done.status, " instead of the service's answer"
            return done._replace(body=done.body.replace(b"TOKEN", token.encode()))
        if done in (CUT, STALL):
            call.note = ": the connection was cut" if done == CUT else ": the answer began, and did not end"
            return done
        answer = self.forward(method, path, headers, body)
        answer = done(answer) if callable(done) else answer
        call.seconds = time.monotonic() - call.at
        if done == LOSE:
            call.note = f": the answer {answer.status} was lost"
            return CUT
        call.status = answer.status
        call.note = noted(answer) + ", cut in the middle" * (answer.cut is not None)
        return self.with_lifetime(answer) if path in (LOGIN, REFRESH) else answer

    def forward(self, method, path, headers, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.service_port, timeout=60)
        try:
            kept = {name: value for name, value in headers.items()
                    if name.lower() not in ("host", "connection", "transfer-encoding", "content-length", "expect")}
            connection.request(method, path, body, kept)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        except (OSError, http.client.HTTPException):
            return Answer(503, {"Content-Type": "application/json"}, b'{"message":"Service Unavailable"}')
        finally:
            connection.close()

    def with_lifetime(self, answer):
        with suppress(ValueError, KeyError, TypeError):
            content = json.loads(answer.body)
            seconds = self.lifetime or content["expires_in"]
            self.issued[content["access_token"]] = time.monotonic() + seconds
            content["expires_in"] = seconds
            return answer._replace(body=json.dumps(content).encode())
        return answer


def noted(answer):
    """What a problem's code is, also those of a batch's results."""
    codes = sorted(set(re.findall(rb'"code":"([a-z_]+)"', answer.body[:100_000])))
    return " " + ", ".join(map(bytes.decode, codes)) if codes else ""


class Elsewhere:
    """Another server, to which a redirect leads. It keeps the requests that come."""

    def __init__(self):
        self.requests = requests = []

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                requests.append(f"{self.command} {self.path}")
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/elsewhere"


class Server(ThreadingHTTPServer):
    """A server whose connections can be cut."""

    daemon_threads, block_on_close, allow_reuse_address, request_queue_size = True, False, True, 1_000

    def __init__(self, *arguments):
        self.connections = set()
        super().__init__(*arguments)

    def get_request(self):
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_):
        pass  # a connector that was killed leaves

    def stop(self):
        self.shutdown()
        self.server_close()
        for connection in self.connections.copy():
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def handler_of(gateway):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def relay(self):
            body = self.body()
            # A page of another site reaches it by a name of its own, and must not read what is stored.
            is_ours = re.fullmatch(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?", self.headers.get("Host", ""))
            if not is_ours or not self.path.startswith("/api/"):
                self.send_error(404)
                return
            answer = gateway.handle(self.command, self.path, self.headers, body)
            if answer == STALL:
                self.wfile.write(HALF)
                gateway.goes_on.wait(LONGEST_STALL)
            if answer in (CUT, STALL):
                self.close_connection = True
                return
            self.send_response_only(answer.status)
            for name, value in answer.headers.items():
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body[:answer.cut])
            self.close_connection = self.close_connection or answer.cut is not None

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = relay

        def body(self):
            if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = b""
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return body

        def log_message(self, *_):
            pass

    return Handler
