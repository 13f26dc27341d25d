"""Receives a provider's webhooks, keeps their events in an outbox, and answers. Then it sends them.

Python 3.9 or newer, no packages. It needs outbox.py and providers.py beside it, and a disk that outlives it.
Settings: PROVIDER, such as github, shopify or stripe; WEBHOOK_SECRET, or several, a line each, while one is being
replaced; OUTBOX (a file); PORT (8080); WEBHOOK_URL, if the provider signs the URL and a proxy changes it; MAX_BODIES
(bytes that webhooks may take together, 100 MB); CONNECTOR_API_URL, and either CONNECTOR_API_TOKEN, or
CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD. docs/connectors.md explains the rules.
"""
import base64, json, logging, os, re, signal, sqlite3, sys, threading, time, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit
from outbox import Outbox, Session, setting
from providers import Answer, Provider, Request, Webhook, parsed

LONGEST = 10  # seconds for a body to come
MOST_UNSIGNED = 10_000  # bytes of a test of the URL. A larger body of a stranger would take much memory if it were read
PIECE = 65_536  # bytes
UNUSABLE = ValueError, LookupError, TypeError, AttributeError, RecursionError  # a webhook may have anything


def topic_of(sent):
    """The topic as an event type has it: ASCII without * , " \\, no empty segment, no space at a segment's end."""
    topic = re.sub("(?<![^/]) | (?![^/])", "%20", re.sub("/+", "/", sent).strip("/"))
    encoded = topic.encode("utf-8", "surrogateescape")
    return re.sub(rb'[^ -~]|[*,"\\]', lambda byte: b"%%%02X" % byte[0][0], encoded).decode()


def brand_of(webhook, content):
    """Whose event it is: events are listed and erased by it."""
    for place in () if webhook.brand or webhook.shop else provider.brand:
        value = content
        for name in place:
            value = value.get(name) if isinstance(value, dict) else None
        if value and isinstance(value, str):
            return value
    return webhook.brand or webhook.shop


def event_of(webhook, payload, content):
    """The text of an event: the payload as it came, and _meta. Parsing and writing it again could change it."""
    has_both = all(isinstance(each, str) and each for each in (webhook.topic, webhook.key))
    topic = topic_of(webhook.topic) if has_both else ""
    if not topic:
        raise ValueError("it has no topic or no id")
    if not isinstance(content, (dict, list)):
        raise ValueError("it is no JSON object")
    meta = {"source": PROVIDER, "topic": topic, "request_id": str(uuid.uuid4()),
            "received_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    if webhook.shop:
        meta["shop"] = webhook.shop
    if brand := brand_of(webhook, content):
        meta["brand_id"] = brand
    if isinstance(content, list) or "_meta" in content:  # ours needs an object, and that name
        meta["wrapped"], payload, content = "payload", '{"payload":%s}' % payload, {"payload": content}
    head, brace, tail = payload.rpartition("}")
    comma = "," if content else ""
    event_type = json.dumps(f"{PROVIDER}.{topic}")
    return '{"event_type":%s,"payload":%s%s"_meta":%s%s}' % (event_type, head, comma, json.dumps(meta), brace + tail)


class Busy(Exception):
    """The bodies under way take all the memory that there is for them."""


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


class Webhooks(BaseHTTPRequestHandler):
    timeout = LONGEST  # seconds for the client to send its next byte

    def do_POST(self):
        body = bytearray()
        try:
            answer = self.receive(body)
        except Busy:
            answer = Answer(503, log="other bodies take all memory")
        except UNUSABLE:
            answer = Answer(400, log="the body is not readable")
        finally:
            budget.give(len(body))
        if answer.log:
            level = logging.INFO if answer.status == 200 else logging.ERROR
            logging.log(level, "%s for a webhook from %s: %s", answer.status, self.client_address[0], answer.log)
        text = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def log_request(self, code="-", size="-"):  # without the query, which may have a secret
        self.log_message("%s %s %s", self.command, urlsplit(self.path).path, code)

    do_GET = do_HEAD = do_POST  # some providers test a URL so

    def receive(self, body):
        url = urlsplit(self.path)
        if url.path != "/webhooks":
            return Answer(404)
        if self.command == "POST" and (refusal := self.read(body)):
            return refusal
        known = WEBHOOK_URL or "https://" + self.headers.get("Host", "") + url.path
        request = Request(self.command, known + ("?" + url.query if url.query else ""), self.headers, body)
        is_signed = provider.is_signed(request)
        if (is_signed or len(body) <= MOST_UNSIGNED) and (answer := provider.handshake(request, is_signed)):
            return answer
        if self.command != "POST":
            return Answer(405)
        if not is_signed:
            return Answer(401, log="the signature is wrong or old" + f" for {request.url}" * provider.signs_url)
        return keep(request)

    def read(self, body):
        """Reads the body, unless it is too large. Then the answer says so."""
        is_chunked = self.headers.get("Transfer-Encoding", "").rpartition(",")[2].strip().lower() == "chunked"
        if not is_chunked and "Content-Length" not in self.headers:
            return Answer(411, log="it has no length")
        deadline = time.monotonic() + LONGEST
        for size in self.sizes() if is_chunked else [int(self.headers["Content-Length"])]:
            if not 0 <= size <= provider.most - len(body):
                return Answer(413, log=f"more than {provider.most} bytes")
            if size > budget.free:
                raise Busy
            while size:
                piece = self.rfile.read1(min(size, PIECE))
                if not piece or time.monotonic() > deadline:
                    raise ValueError("it does not end")
                budget.take(len(piece))
                body += piece
                size -= len(piece)

    def sizes(self):  # of the chunks; a line has each size, and a line end follows each chunk
        while size := int(self.size_line().partition(b";")[0], 16):
            yield size
            self.rfile.readline(2)
        self.rfile.readline(2)

    def size_line(self):
        line = self.rfile.readline(1000)
        if not line.endswith(b"\n"):
            raise ValueError("the line of a chunk's size does not end")
        return line


def keep(request):
    """Keeps all events of a delivery, or none. Answers 2xx only for what is on the disk, be it to send or refused."""
    events, refused = [], []
    try:
        texts, fault = provider.events(request), "it is no JSON"
    except UNUSABLE as error:
        texts, fault = [""], str(error)
    for text in texts:
        content, webhook = parsed(text), Webhook(None, None)
        try:
            webhook = provider.webhook(request, {} if content is None else content)
            events.append(outbox.row(webhook.key, event_of(webhook, text, content)))
        except UNUSABLE as error:
            reason = fault if content is None else f"it has no {error}" if isinstance(error, KeyError) else str(error)
            logging.error("%s is refused: %s", webhook, reason)
            body = text.encode() if texts[1:] else request.body
            said = json.dumps({"reason": reason, **webhook._asdict()})
            refused.append((None, said, None, base64.b64encode(body).decode()))
    try:
        outbox.keep(events, refused)
    except sqlite3.Error as error:
        return Answer(503, log=f"it cannot be kept: {error}")
    return Answer(200, log=None if texts else "it has no event")


def send(session):
    try:
        outbox.send(session)
    except Exception:
        logging.exception("it cannot send")
        os._exit(1)  # so that it is started again


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    PROVIDER, OUTBOX = setting("PROVIDER"), setting("OUTBOX")
    WEBHOOK_URL = setting("WEBHOOK_URL", "https?://[^?#]+") if os.environ.get("WEBHOOK_URL") else None
    kinds = {each.__name__.lower(): each for each in Provider.__subclasses__()}
    kind = kinds.get(PROVIDER) or sys.exit(f"PROVIDER is none of {', '.join(kinds)}")
    has_no_secret = kind.gives_secret and not os.environ.get("WEBHOOK_SECRET")
    secrets = [] if has_no_secret else [each.encode() for each in setting("WEBHOOK_SECRET").splitlines() if each]
    provider = kind(secrets, OUTBOX + ".secret")
    budget = Budget(int(setting("MAX_BODIES", "[0-9]+", "100000000")))
    session = Session()
    try:
        outbox = Outbox(OUTBOX)
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"OUTBOX: {error}")
    threading.Thread(target=send, args=[session], daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # leaves the block below, which waits for open requests
    ThreadingHTTPServer.daemon_threads = False
    ThreadingHTTPServer.request_queue_size = 128
    with ThreadingHTTPServer(("", int(setting("PORT", "[0-9]+", "8080"))), Webhooks) as server:
        print(f"listening on port {server.server_port}", flush=True)
        server.serve_forever()
