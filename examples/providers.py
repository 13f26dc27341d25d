"""How providers register, sign and describe their webhooks. PROVIDER names the one of a connector.py.

providers.json has the form of each: what it signs and how, and where the topic, the key and the brand stand. A class
here is for what a form does not say. Python 3.9 or newer, no packages. docs/connectors.md explains the rules.
"""
import base64, copy, fcntl, hashlib, hmac, json, logging, os, re, threading, time, uuid
from collections import namedtuple
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import cached_property
from urllib.parse import parse_qsl, unquote, unquote_plus, urlsplit
from outbox import row

TOLERANCE = 300  # seconds; an older signature may be a stolen one
MOST_FIELDS = 10_000  # of a form
MOST_SIGNED_FIELDS = 65_536  # bytes of a form whose fields are signed: they are read before it is known who sent them
MOST_UNSIGNED = 10_000  # bytes of a test of the URL. A larger body of a stranger would take much memory if it were read
MOST_CUT = 100_000_000  # characters of the events that are cut out of a body: each has what stands beside it
MOST_SIGNATURES = 100  # parts of a header that has signatures
SHORTEST_SECRET = 8  # a header that has a shorter text in it may be kept: it is the name of a shop, too
CHARSETS = "utf-8", "iso-8859-1", "windows-1252", "shift_jis"  # of forms. Some of Python's take the square of the time
MOST_TYPE = 200  # characters of a Content-Type that are looked at
MOST_SHOWN = 300  # characters of a URL in the log, which a flood of unsigned requests fills
CHARSET = re.compile(r';\s*charset="?([^\s;"]*)', re.IGNORECASE)
DECODER = json.JSONDecoder(parse_int=str)  # int() refuses more than 4,300 digits
SPACES = re.compile(r"[ \t\r\n]*")
TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]+))?"
                  r" ?(?:Z|UTC|([+-][0-9]{2}):?([0-9]{2}))?")
PLACE = re.compile(r"\{\{(.+?)\}\}")  # of a form
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "providers.json"), encoding="utf-8") as file:
    FORMS = json.load(file)
Webhook = namedtuple("Webhook", "topic key shop brand", defaults=[None, None])
State = namedtuple("State", "kind id version is_deletion", defaults=[False])  # of a thing. Versions say which is newer


class Answer(namedtuple("Answer", "status text type log headers", defaults=["", "text/plain", None, ()])):
    """What a provider gets, with pairs of further headers, and what the log gets."""

    @classmethod
    def json(cls, log, **members):
        return cls(200, json.dumps(members), "application/json", log)

    @property
    def is_fit(self):
        """Whether all of it can be sent. A stranger may have chosen parts of it."""
        texts = [each for header in self.headers for each in header]
        return all(re.fullmatch("[ -~]*", each) for each in texts) and not re.search("[\ud800-\udfff]", self.text)


class Request:
    """A request that has come, now or at another time (RFC 3339). The URL is the one that its sender has used."""

    def __init__(self, method, url, headers, body=b"", received_at=None):
        self.method, self.url, self.headers, self.body = method, url, headers, body
        self.received_at = received_at or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.asked, self.missing, self.fault = {}, [], None  # headers, and whether they came; why it is not signed
        self.key = None  # of the secrets, the one that it is signed with

    def header(self, name):  # http.server reads bytes as ISO 8859-1
        value = self.headers.get(name, "").strip(" \t")
        self.asked[name] = bool(value)
        return value.encode("iso-8859-1").decode("utf-8", "surrogateescape")

    def parameter(self, name):
        """A parameter of the URL's query, undecoded. Empty if there is none."""
        query = self.url.partition("?")[2]
        sent = [each.partition("=")[2] for each in query.split("&") if each.startswith(name + "=")]
        self.asked["parameter " + name] = bool(sent)
        return sent[0] if sent else ""

    @property
    def is_form(self):
        kind = self.headers.get("Content-Type", "").partition(";")[0]
        return kind.strip().lower() == "application/x-www-form-urlencoded"

    @cached_property
    def text(self):
        """The body as JSON. A form, or the query of a GET, becomes an object: a field is a text, or some texts."""
        if self.method != "GET" and not self.is_form:
            return self.body.decode("utf-8-sig")  # a byte order mark is no part of the JSON
        fields = {}
        for name, value in self.fields:
            fields.setdefault(name, []).append(value)
        if list(fields) == ["payload"] and len(self.fields) == 1:  # GitHub and Slack send their JSON so
            return fields["payload"][0]
        one_or_more = {name: values if values[1:] else values[0] for name, values in fields.items()}
        return json.dumps(one_or_more, ensure_ascii=False)

    @cached_property
    def fields(self):
        """A form's names and values in their order, in the charset that it says, or UTF-8, or what takes all bytes."""
        sent = self.url.partition("?")[2] if self.method == "GET" else self.body.decode("iso-8859-1")
        pairs = parse_qsl(sent, keep_blank_values=True, encoding="iso-8859-1", max_num_fields=MOST_FIELDS)
        said = CHARSET.search(self.headers.get("Content-Type", "")[:MOST_TYPE])
        for charset in *(each for each in CHARSETS if said and each == said[1].lower()), "utf-8":
            try:
                return [tuple(each.encode("iso-8859-1").decode(charset) for each in pair) for pair in pairs]
            except ValueError:
                pass
        return pairs

    @cached_property
    def content(self):
        """The members of the body. None of them if it is no JSON object and no form."""
        try:
            content = parsed(self.text)
        except ValueError:
            content = None
        return content if isinstance(content, dict) else {}


def parsed(text):
    """What a JSON text has, with integers as texts, for they may be long. None if it is no JSON."""
    try:
        return json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return None


def elements(text, *names):
    """The texts of an array's elements, cut out, not written anew. The array is the text, or in these members of it."""
    if parsed(text) is None:
        raise ValueError("it is no JSON")
    start = SPACES.match(text).end()
    for name in names:
        start, _ = member(text, start, name)
    if text[start] != "[":
        raise ValueError("it has no array")
    return [text[start:end] for _, start, end in parts(text, start)]


def alone(text, *path):
    """The text once for each element of its innermost arrays, with this element alone in them.

    The path has the names that lead there, each with [] if it is an array: "entry[]", "changes[]". So an event keeps
    what stands beside its element, such as whose it is.
    """
    if parsed(text) is None:
        raise ValueError("it is no JSON")
    cuts = list(gaps(text, 0, path))
    if sum(len(text) - sum(end - start for start, end in each) for each in cuts) > MOST_CUT:
        raise ValueError(f"its events would have more than {MOST_CUT} characters")
    texts = []
    for each in cuts:
        ends = [0, *(place for gap in each for place in gap), len(text)]
        texts.append("".join(text[start:end] for start, end in zip(ends[::2], ends[1::2])))
    return texts


def gaps(text, start, path):
    """Of each innermost element of the object that begins there: from where to where the text has others."""
    if not path:
        yield []
        return
    name, is_array = path[0].removesuffix("[]"), path[0].endswith("[]")
    value, end = member(text, start, name)
    if is_array != (text[value] == "["):
        raise ValueError(f"{name} is no array" if is_array else f"{name} is an array")
    for first, last in [each[1:] for each in parts(text, value)] if is_array else [(value, end)]:
        for inner in gaps(text, first, path[1:]):
            yield [(value + 1, first), *inner, (last, end - 1)] if is_array else inner


def member(text, start, name):
    """Where the value of this name begins and ends, in the object that begins there. The last one counts."""
    found = [each[1:] for each in parts(text, SPACES.match(text, start).end()) if each[0] == name]
    if not found:
        raise KeyError(name)
    return found[-1]


def parts(text, start):
    """The members of the object, or the elements of the array, that begins there: the name, the start, the end."""
    is_object, end = text[start] == "{", start + 1
    while True:
        start, name = SPACES.match(text, end).end(), None
        if text[start] in "]}":
            return
        if is_object:
            name, end = DECODER.raw_decode(text, start)
            colon = SPACES.match(text, end).end()
            start = SPACES.match(text, colon + 1).end()
        _, end = DECODER.raw_decode(text, start)
        yield name, start, end
        end = SPACES.match(text, end).end()
        if text[end] != ",":
            return
        end += 1


def one_or_more(text):
    """The text of an object, or those of an array's elements."""
    start = SPACES.match(text).end()
    return [text] if text[start:start + 1] == "{" else elements(text)


def digest_of(event):
    """A key for an event that has no id: an event that is the same in all is the same."""
    return hashlib.sha256(json.dumps(event).encode()).hexdigest()


def number(text):
    """A number as a version. Versions are compared as text, and 10 would sort before 9."""
    if not re.fullmatch("[0-9]{1,20}", text):
        raise ValueError("no version")
    return text.zfill(20)


def instant(text):
    """A time as a version: in UTC, with nine decimals, for 12:00:00.5Z would sort before 12:00:00Z."""
    day, clock, decimals, hours, minutes = TIME.fullmatch(text).groups()
    offset = timedelta(hours=int(hours or 0), minutes=int((hours or "+")[0] + (minutes or "0")))
    at = datetime.fromisoformat(f"{day}T{clock}") - offset
    return f"{at.isoformat()}.{(decimals or '')[:9]:0<9}Z"


def since_1970(seconds):
    """Seconds since 1970, such as 1700000000 or 1700000000.000001, as a version. Milliseconds would be another year."""
    whole, decimals = re.fullmatch(r"([0-9]{9,10})(?:\.([0-9]+))?", seconds).groups()
    at = datetime(1970, 1, 1) + timedelta(seconds=int(whole))
    return instant(f"{at.isoformat()}.{decimals or '0'}Z")


def milliseconds(text):
    return since_1970(re.sub("([0-9]{3})$", r".\1", text))


def shown(url):
    """A URL for the log: of its query only the names, since a value may be a secret."""
    address, _, query = url.partition("?")
    names = [name + "=…" if sign else "…" for name, sign, _ in (each.partition("=") for each in query.split("&"))]
    return address + "?" * bool(query) + "&".join(names) * bool(query)


class Unfit(ValueError):
    """What is signed can't be: its time is not now, or it is too large. Its text is for the log."""


def recent(seconds):
    """The time that is signed, in bytes. An old one may be that of a stolen webhook."""
    if not re.fullmatch("[0-9]{1,15}", str(seconds)):
        raise Unfit("its time is no number")
    age = round(time.time()) - int(seconds)
    if abs(age) > TOLERANCE:
        raise Unfit(f"its time is {abs(age)} s " + ("ago" if age > 0 else "in the future: is the clock right?"))
    return str(seconds).encode()


def pattern(template):
    """A template as a regular expression, with a group for each place."""
    parts = enumerate(PLACE.split(template))
    return re.compile("".join(f"(?P<{each}>.+)" if number % 2 else re.escape(each) for number, each in parts))


SECONDS_OF = {  # of a time that is signed, as the form has it
    "seconds": str,
    "milliseconds": lambda text: text[:-3],
    "time": lambda text: int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()),
}


class Provider:
    """How a provider registers a webhook, signs it, and what events it holds. A subclass has the name of its form."""

    most = 25_000_000  # bytes of a body; GitHub sends no more
    methods = ("POST",)  # that it delivers by. It may ask by any
    gives_secret = False  # in place of WEBHOOK_SECRET
    gives_secrets = False  # beside WEBHOOK_SECRET, one for each webhook
    registering = threading.Lock()

    def __init__(self, secrets=(), secret_file=""):
        self.name, self.secrets, self.secret_file = type(self).__name__.lower(), list(secrets), secret_file
        self.form = {}
        for each in reversed(type(self).__mro__):  # a class of a class has a form of what differs
            self.form.update(FORMS.get(each.__name__, {}))
        self.digest, self.signs_url = self.form.get("digest", "sha256"), "{{url}}" in self.form.get("signed", "")
        self.own = self.secrets
        self.read_secrets()

    def given(self):
        """The secrets that the provider has given, perhaps to another process."""
        try:
            with open(self.secret_file, "rb") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def read_secrets(self):
        if self.gives_secrets or self.gives_secret and not self.own:
            self.secrets = [*self.own, *self.given()]

    def take(self, request, keep):
        """The answer to a request. `keep` gets the rows of its events and of what is refused, and returns why it cannot
        keep all of them, or None. Only then the provider gets a 2xx.
        """
        is_signed = self.accepts(request)
        if is_signed or len(request.body) <= MOST_UNSIGNED:
            if answer := self.handshake(request, is_signed):
                return answer if answer.is_fit else Answer(400, log="it asks for an answer that cannot be sent")
        if request.method not in self.methods:
            return Answer(405)
        if not is_signed:
            taken = f"; the URL is taken for {shown(request.url)[:MOST_SHOWN]}" * self.signs_url
            return Answer(401, log=self.why(request) + taken)
        events, refused = self.rows(request)
        for _, answer, *_ in refused:
            logging.error("a webhook is refused: %s", answer)
        if why := keep(events, refused):
            return Answer(503, log=f"it cannot be kept: {why}")
        try:
            answer = self.acknowledgement(request)
            answer = answer if answer.is_fit else Answer(200)
        except Exception:
            logging.exception("a defect in the provider's class")  # the delivery is kept: no other one may come
            answer = Answer(200)
        return answer if events or refused else answer._replace(log="it has no event")

    def handshake(self, request, is_signed):
        """The answer to what is no delivery, such as a small test of the URL. None if it is one.

        It comes first, for any method, and nothing is kept. Ask for `is_signed`, unless the provider does not sign the
        test; `request.key` is the secret that has signed. Whatever it raises gets 503.
        """

    def acknowledgement(self, request):
        """The answer to a delivery that is kept."""
        return Answer(200)

    def header(self, request, name):
        return request.header(name)

    def sent(self, request):
        """What stands at each place of the signature's headers: of a signature perhaps several."""
        separator, found = self.form.get("separator", ""), {}
        for name, template in self.form["signature"].items():
            has_several = separator and (separator in template or "{{hex}}" in template or "{{base64}}" in template)
            parts, templates = [self.header(request, name)], [template]
            if has_several:
                parts, templates = parts[0].split(separator), template.split(separator)
            if len(parts) > MOST_SIGNATURES:
                raise Unfit(f"{name} has {len(parts)} parts, more than {MOST_SIGNATURES}")
            for part in parts:
                matches = (pattern(each).fullmatch(part.strip()) for each in templates)
                for match in filter(None, matches):
                    for place, value in match.groupdict().items():
                        found.setdefault(place, []).append(value)
        return found

    def url(self, request):
        """The URL as it is signed."""
        return request.url

    def signed(self, request):
        """The bytes that are signed. It reads no `content`: a stranger's may take much memory. Whatever it raises means
        that the signature is wrong.
        """
        values = {place: each[0] for place, each in self.sent(request).items()}
        for place in values.keys() & SECONDS_OF.keys():
            recent(SECONDS_OF[place](values[place]))
        template = self.form.get("signed", "{{body}}")
        values.update(method=request.method, url=self.url(request))
        if "{{fields}}" in template:
            if len(request.body) > MOST_SIGNED_FIELDS:
                raise Unfit(f"its form has {len(request.body)} bytes, more than {MOST_SIGNED_FIELDS}")
            values["fields"] = "".join(name + value for name, value in sorted(set(request.fields)))
        before, body, after = template.partition("{{body}}")
        before, after = (PLACE.sub(lambda place: values[place[1]], each).encode("utf-8", "surrogateescape")
                         for each in (before, after))
        return b"".join((before, request.body if body else b"", after)) if before or after or not body else request.body

    def signatures(self, request):
        """The signatures that came, each as bytes: one, or several while a secret is being replaced."""
        sent = self.sent(request)
        return [*map(bytes.fromhex, sent.get("hex", ())),
                *(base64.b64decode(each, validate=True) for each in sent.get("base64", ()))]

    def keys(self):
        """The secrets as keys of the signature. An empty one would be anybody's."""
        return filter(None, self.secrets)

    def is_signed(self, request):
        if "{{secret}}" in self.form["signature"].values():  # it signs nothing
            return self.has_secret(*self.sent(request).get("secret", ()))
        sent = self.signatures(request)
        signed = self.signed(request) if sent else b""
        for key in self.keys() if sent else ():
            mac = hmac.new(key, signed, self.digest).digest()
            if any([hmac.compare_digest(mac, each) for each in sent]):
                request.key = key
        return request.key is not None

    def accepts(self, request):
        """Whether the provider has sent it. A stranger may send anything, so every error means no."""
        is_signed = False
        self.read_secrets()
        try:
            is_signed = bool(self.is_signed(request))
        except Exception as error:
            request.fault = error
        request.missing = [] if any(request.asked.values()) else list(request.asked)
        return is_signed

    def why(self, request):
        """Why it does not accept a request, as far as can be told. For the log: a stranger must not know."""
        if request.missing or not self.secrets:
            return "it has no " + ", no ".join(request.missing) if self.secrets else "there is no secret yet"
        if isinstance(request.fault, Unfit):
            return str(request.fault)
        if len(request.url) + len(request.body) <= MOST_UNSIGNED:  # a flood of them must not take all time
            for reason, secrets, url, body in self.suspicions(request):
                other, again = copy.copy(self), Request(request.method, url, request.headers, body)
                other.secrets = other.own = secrets
                if other.accepts(again):
                    return reason
        return f"the signature is wrong: it is of none of the secrets ({len(self.secrets)}), or of another body"

    def suspicions(self, request):
        """What could be wrong, and the secrets, the URL and the body that would be right."""
        stripped = [secret.strip(b" \t\"'") for secret in self.secrets]
        yield "WEBHOOK_SECRET has quotes or spaces that do not belong to it", stripped, request.url, request.body
        address = request.url.partition("?")[0]
        rest = address.partition("://")[2]
        for scheme in ("https", "http") if self.signs_url else ():
            for path in rest, rest + "/", re.sub(":[0-9]+/", "/", rest):
                url = f"{scheme}://{path}"
                whole = url + request.url[len(address):]
                yield f"it is signed for {url}: set WEBHOOK_URL to that", self.secrets, whole, request.body
        reason = "its body was changed on the way: does a proxy parse it?"
        for change in self.changes(request.body):
            yield reason, self.secrets, request.url, change

    def changes(self, body):
        yield from (body.strip(), body + b"\n", body.replace(b"\r\n", b"\n"), body.removeprefix(b"\xef\xbb\xbf"))
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            return
        for separators in (",", ":"), (", ", ": "):
            for is_ascii in True, False:
                yield json.dumps(content, separators=separators, ensure_ascii=is_ascii).encode("utf-8", "replace")

    def has_secret(self, *sent):
        """Whether one of these texts, which came, is the secret itself."""
        texts = [each.encode("utf-8", "surrogateescape") for each in sent]
        return any([hmac.compare_digest(secret, each) for secret in self.secrets for each in texts])

    def keep_secret(self, secret, is_known=False):
        """Keeps a secret that a provider gives when a webhook is registered, and answers 200.

        Unless it is known who sent it, only the first is kept, and no other is good: it may be a stranger's.
        """
        if not re.fullmatch("[!-~]+", secret):
            return Answer(401, log="it brings a secret that is none")
        with self.registering, locked(os.path.dirname(self.secret_file) or "."):
            self.read_secrets()
            if self.has_secret(secret):
                return Answer(200, log="it brings a secret that is known")
            if self.secrets and not is_known:
                return Answer(401, log="it brings a secret, but there is one")
            write_whole(self.secret_file, b"\n".join([*self.given(), secret.encode()]).decode())
            self.read_secrets()
        return Answer(200, log=f"its secret is in {self.secret_file}")

    def events(self, request):
        """The texts of the events of a delivery, each a JSON object."""
        return [request.text]

    def webhook(self, request, event):
        """The topic and the key of an event, and whose it is if the form does not say where that stands. An integer of
        the event is a text, since it may be long.
        """
        return Webhook(self.first("topic", request, event), self.first("key", request, event))

    def first(self, what, request, event):
        """The first of the form's templates whose places all have a text. Empty if there is none."""
        for template in self.form.get(what, ()):
            parts = PLACE.split(template)
            parts[1::2] = [self.at(place, request, event) for place in parts[1::2]]
            if all(parts[1::2]):
                return "".join(parts)
        return ""

    def at(self, place, request, event):
        """The text at a place: see docs/connectors.md#by-provider."""
        if place == "sha256":
            return digest_of(event)
        if place.startswith("host of "):
            return urlsplit(self.at(place[len("host of "):], request, event)).hostname
        return "-".join(filter(None, (self.member(name, request, event) for name in place.split(" "))))

    def member(self, name, request, event):
        """The text of a header, of a member of the event (.type), or of one of the whole delivery ($.source)."""
        if name[0] not in ".$":
            return self.header(request, name)
        value = request.content if name[0] == "$" else event
        for each in name.split(".")[1:]:
            value = value.get(each) if isinstance(value, dict) else None
        return value if isinstance(value, str) else ""

    def state(self, request, event):
        """What the event is about: a `State` of a thing. Whatever this raises means that it is about none."""
        raise NotImplementedError

    def rows(self, request):
        """What an outbox keeps of a delivery: the rows of its events, and one row of all of it if an event is refused.

        A class may raise anything, and a webhook may have anything: then it is refused, with the reason.
        """
        rows, refused = [], []
        try:
            texts, fault = list(self.events(request)), "it is no JSON"
        except Exception as error:
            texts, fault = [""], reason_of(error)
        if compression := "gzip" if request.body[:2] == b"\x1f\x8b" else request.header("Content-Encoding"):
            fault = f"its body is in {compression}, not in plain JSON"
        for text in texts:
            content, webhook = None, Webhook(None, None)
            try:
                content = parsed(text)
                webhook = self.webhook(request, {} if content is None else content)
                rows.append(row(webhook.key, event_of(self, request, webhook, text, content)))
            except Exception as error:
                is_one = isinstance(webhook, Webhook)
                said = webhook._asdict() if is_one else {"webhook": webhook}
                refused.append({"reason": fault if content is None else reason_of(error), **said})
        if not refused:
            return rows, []
        answer = {**refused[0], "events": f"{len(refused)} of {len(texts)}"} if texts[1:] else refused[0]
        return rows, [(None, json.dumps(answer, default=str), None, base64.b64encode(request.body).decode(),
                       json.dumps(self.without_secrets(request)))]

    def without_secrets(self, request):
        """A request's method, URL and headers, as they may be kept with a refused body."""
        secrets = [each.decode("latin-1") for each in self.secrets]
        hidden = {"authorization", "cookie", *(name.lower() for name, form in self.form.get("signature", {}).items()
                                               if form == "{{secret}}")}

        def shows_one(text):
            texts = text, unquote(text, "latin-1"), unquote_plus(text, "latin-1")
            return any(secret == each or "=" + secret in each or len(secret) >= SHORTEST_SECRET and secret in each
                       for secret in secrets for each in texts)

        headers = [(name, value) for name, value in request.headers.items()
                   if name.lower() not in hidden and not shows_one(value)]
        address, mark, query = request.url.partition("?")
        fields = ["".join("" if shows_one(part) else part for part in each.partition("=")) for each in query.split("&")]
        return {"method": request.method, "url": address + mark + "&".join(fields), "headers": headers}


def reason_of(error):
    return f"it has no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__


@contextmanager
def locked(folder):
    """Lets one process at a time into it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_whole(file, text):
    """Writes a file for its owner only. After a power cut, all of it is there, or nothing."""
    part = file + ".part"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    os.replace(part, file)
    folder = os.open(os.path.dirname(file) or ".", os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def topic_of(sent):
    """The topic as an event type has it: ASCII without * , " \\, no empty segment, no space at a segment's end."""
    topic = re.sub("(?<![^/]) | (?![^/])", "%20", re.sub("/+", "/", sent).strip("/"))
    encoded = topic.encode("utf-8", "surrogateescape")
    return re.sub(rb'[^ -~]|[*,"\\]', lambda byte: b"%%%02X" % byte[0][0], encoded).decode()


def state_of(provider, request, content):
    """The members of _meta for the thing that an event is about, if it says which, and how new this state is."""
    try:
        state = provider.state(request, content)
        if not (state.kind and state.id and re.fullmatch("[!-~]{1,64}", state.version)):
            return {}
        name = ":".join([provider.name, state.kind, state.id])
        return {"object": name, "version": state.version, **({"deleted": "true"} if state.is_deletion else {})}
    except Exception:
        return {}


def event_of(provider, request, webhook, payload, content):
    """The text of an event: the payload as it came, and _meta. Parsing and writing it again could change it."""
    has_both = all(isinstance(each, str) and each for each in (webhook.topic, webhook.key))
    topic = topic_of(webhook.topic) if has_both else ""
    if not topic:
        raise ValueError("it has no topic or no id")
    if not isinstance(content, (dict, list)):
        raise ValueError("it is no JSON object")
    meta = {"source": provider.name, "topic": topic, "request_id": str(uuid.uuid4()),
            "received_at": request.received_at}
    if webhook.shop:
        meta["shop"] = webhook.shop
    if brand := webhook.brand or webhook.shop or provider.first("brand", request, content):  # to list and erase by
        meta["brand_id"] = brand
    meta.update(state_of(provider, request, content))
    if isinstance(content, list) or "_meta" in content:  # ours needs an object, and that name
        meta["wrapped"], payload, content = "payload", '{"payload":%s}' % payload, {"payload": content}
    head, brace, tail = payload.rpartition("}")
    comma = "," if content else ""
    event_type = json.dumps(f"{provider.name}.{topic}")
    return '{"event_type":%s,"payload":%s%s"_meta":%s%s}' % (event_type, head, comma, json.dumps(meta), brace + tail)


def kind_of(name):
    """The class of a provider's name in lower case. One that has a form only needs no class of its own."""
    kinds, classes = {}, Provider.__subclasses__()
    for each in classes:  # it grows
        kinds[each.__name__.lower()] = each
        classes += each.__subclasses__()
    for each in FORMS:
        if each.lower() not in kinds and "topic" in FORMS[each]:
            kinds[each.lower()] = type(each, (Provider,), {})
    if name not in kinds:
        raise ValueError(f"the provider is none of {', '.join(kinds)}")
    return kinds[name]


class GitHub(Provider):
    def handshake(self, request, is_signed):  # of every new webhook
        if is_signed and request.header("X-GitHub-Event") == "ping":
            return Answer(200, log="GitHub's ping")

    def state(self, request, event):
        sent = request.header("X-GitHub-Event")
        kind = {"issues": "issue", "registry_package": "package"}.get(sent, sent)
        name = {"issues": "issue", "branch_protection_rule": "rule"}.get(sent, sent)
        thing = event["comment" if kind.endswith("_comment") else name]
        is_moved = kind in ("issue", "discussion") and event.get("action") == "transferred"  # it got a new id
        time = since_1970 if thing["updated_at"].isdigit() else instant  # of an installation it is sometimes a number
        return State(kind, thing["id"], time(thing["updated_at"]), event.get("action") == "deleted" or is_moved)


class GitLab(Provider):
    def is_signed(self, request):  # by its signing token, or the older secret token itself
        if not request.header("webhook-signature"):
            return super().is_signed(request)
        return StandardWebhooks([each for each in self.secrets if each.startswith(b"whsec_")]).is_signed(request)

    def state(self, request, event):
        thing = event["object_attributes"]
        return State(event["object_kind"], thing["id"], instant(thing["updated_at"]),
                     thing.get("action") in ("delete", "revoke"))


class HubSpot(Provider):
    DECODED = re.compile("%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)", re.IGNORECASE)  # in the URL, and nothing else

    def url(self, request):
        return self.DECODED.sub(lambda each: chr(int(each[0][1:], 16)), request.url)

    def events(self, request):
        return one_or_more(request.text)

    def webhook(self, request, event):
        if "subscriptionId" not in event and "eventId" not in event:  # a workflow sends the object itself
            return Webhook("workflow", digest_of(event))
        return super().webhook(request, event)

    KINDS = {"0-1": "contact", "0-2": "company", "0-3": "deal", "0-5": "ticket", "0-7": "product", "0-8": "line_item"}

    def state(self, request, event):
        kind, _, change = event["subscriptionType"].partition(".")
        if change == "propertyChange":
            raise ValueError("it has one property, not the object")
        type_id = event.get("objectTypeId", kind)  # a privacyDeletion has none
        return State(self.KINDS.get(type_id, type_id), event["objectId"], milliseconds(event["occurredAt"]),
                     change in ("deletion", "privacyDeletion"))


class Linear(Provider):
    def is_signed(self, request):  # the time is in the body, which nobody reads before it is known to be Linear's
        return super().is_signed(request) and recent(request.content["webhookTimestamp"][:-3])  # in milliseconds

    def state(self, request, event):
        return State(event["type"], event["data"]["id"], instant(event["createdAt"]), event["action"] == "remove")


class Mailchimp(Provider):
    def handshake(self, request, is_signed):
        if request.method != "POST":
            if request.parameter("secret") and not is_signed:
                return Answer(401, log="Mailchimp's test of a URL with another secret")
            return Answer(200, log="Mailchimp's test of the URL")

    def is_signed(self, request):  # a webhook that it does not sign has the secret in its URL
        if request.header("X-Mailchimp-Signature"):
            return super().is_signed(request)
        secret = request.parameter("secret")  # in the URL it may stand as it is, or be encoded
        return self.has_secret(secret, unquote(secret), unquote_plus(secret))

    def state(self, request, event):
        kind = "campaign" if event["type"] == "campaign" else "contact"
        return State(kind, event["data[id]"], instant(event["fired_at"]), event.get("data[action]") == "delete")


class Notion(Provider):
    gives_secret = True

    def handshake(self, request, is_signed):
        secret = request.content.get("verification_token")
        if request.method == "POST" and isinstance(secret, str):
            return self.keep_secret(secret)

    def state(self, request, event):
        entity = event["entity"]
        return State(entity["type"], entity["id"], instant(event["timestamp"]), event["type"].endswith(".deleted"))


class Okta(Provider):
    def handshake(self, request, is_signed):
        challenge = request.header("X-Okta-Verification-Challenge")
        if request.method == "GET" and challenge:
            return Answer.json("Okta's challenge", verification=challenge)

    def events(self, request):
        return elements(request.text, "data", "events")


class Shopify(Provider):
    def header(self, request, name):  # shopify.dev/docs/apps/build/events/delivery-structure: newer ones have no X-
        return request.header(name) or request.header(name.replace("X-", "", 1))

    def webhook(self, request, event):
        topic = "/".join(self.topic(request, event))
        return super().webhook(request, event)._replace(topic=topic, shop=self.first("brand", request, event))

    def topic(self, request, event):
        """Such as products and update. An Event, which has the topic Product, says in its body what it does."""
        group, slash, action = self.first("topic", request, event).partition("/")
        if not slash and isinstance(event, dict):
            action = event.get("action") or self.header(request, "X-Shopify-Action")
        return (group, action) if action else (group,)

    ENDS = "delete", "destroy", "disconnect", "revoke"
    PARTS = ("app/scopes_update", "app/uninstalled", "discounts/redeemcode_added", "discounts/redeemcode_removed",
             "returns/cancel", "returns/close", "returns/decline", "returns/reopen", "returns/update",
             "reverse_fulfillment_orders/dispose")

    def state(self, request, event):
        group, action = topic = self.topic(request, event)
        triggered_at = instant(self.header(request, "X-Shopify-Triggered-At"))
        if "/".join(topic) in self.PARTS:
            raise ValueError("it has a part of the thing")
        if group == "inventory_levels":  # it has no id, or one that a disconnection lacks
            return State("InventoryLevel", f"{event['location_id']}:{event['inventory_item_id']}", triggered_at,
                         action in self.ENDS)
        if "/".join(topic) == "customers/merge" and event["status"].lower() == "completed":
            lost = event["admin_graphql_api_customer_deleted_id"]
            return State("Customer", lost.rpartition("/")[2], triggered_at, True)
        if "query_variables" in event:  # of an Event: the ids of the product, of its variants and so on
            kind, ids = group, event["query_variables"].values()
            name = next(each for each in ids if each.startswith(f"gid://shopify/{kind}/"))
        elif event.get("id"):  # draft_orders are of the kind DraftOrder
            singular = re.sub("s$", "", re.sub("ies$", "y", group))
            kind, name = singular.title().replace("_", "").replace("Variant", "ProductVariant"), event["id"]
        else:
            name = event["admin_graphql_api_id"]  # gid://shopify/Company/1
            kind = name.split("/")[3]
        return State(kind, name.rpartition("/")[2], triggered_at, action in self.ENDS)


class Slack(Provider):
    def handshake(self, request, is_signed):  # docs.slack.dev/reference/events/url_verification
        if is_signed and request.content.get("type") == "url_verification":
            return Answer(200, request.content["challenge"], log="Slack's challenge")
        if request.method == "POST" and request.content.get("ssl_check") == "1":
            return Answer(200, log="Slack's test of the certificate")

    def webhook(self, request, event):
        if "event_id" in event:
            return super().webhook(request, event)
        if not request.is_form:
            return Webhook(event["type"], digest_of(event))
        topic = "command" + event["command"] if "command" in event else "interaction/" + event["type"]
        return Webhook(topic, event.get("trigger_id") or digest_of(event))

    def state(self, request, event):  # of a message: its ts in the channel is its id
        inner = event["event"] if event["event"]["type"] == "message" else {}
        written_at = inner.get("deleted_ts") or inner.get("message", inner)["ts"]
        subtypes = inner.get("subtype"), inner.get("message", inner).get("subtype")  # of a thread, a tombstone stays
        return State("message", f"{inner['channel']}:{written_at}", since_1970(inner.get("event_ts") or inner["ts"]),
                     "message_deleted" in subtypes or "tombstone" in subtypes)


class Square(Provider):
    def handshake(self, request, is_signed):
        if is_signed and request.content.get("type") == "webhooks.test_notification":
            return Answer(200, log="Square's test of the URL")

    def state(self, request, event):  # of customers and orders
        kind, data = event["type"].partition(".")[0], event["data"]
        thing = next(each for each in data["object"].values() if "version" in each)
        if kind not in ("customer", "order") or "custom_attribute" in event["type"]:
            raise ValueError("it is another thing")
        return State(kind, data["id"], number(thing["version"]), data.get("deleted") is True)


class StandardWebhooks(Provider):
    """Those who sign by standardwebhooks.com, under its names of the headers or Svix's."""

    def header(self, request, name):
        return request.header(name) or request.header(name.replace("webhook-", "svix-"))

    def keys(self):
        for secret in self.secrets:
            with suppress(ValueError):  # it is another's
                key = base64.b64decode(secret.removeprefix(b"whsec_"), validate=True)
                if key:
                    yield key


class Stripe(Provider):
    def state(self, request, event):
        is_thin = event["object"] == "v2.core.event"  # docs.stripe.com/events/how-events-work#thin-events
        thing = event["related_object"] if is_thin else event["data"]["object"]
        kind = thing["type" if is_thin else "object"]
        # Both of one thing have one name, so a thin one has seconds, too. People choose ids, the same in test and live.
        created = instant(event["created"])[:19] + ".000000000Z" if is_thin else since_1970(event["created"])
        is_ended = event["type"].endswith((".deleted", ".deauthorized"))
        return State(kind if event.get("livemode") is not False else "test." + kind, thing["id"], created, is_ended)


class Twilio(Provider):
    TEST = "com.twilio.eventstreams.test-event"

    def signed(self, request):
        if request.is_form:
            return super().signed(request)
        if request.parameter("bodySHA256") != hashlib.sha256(request.body).hexdigest():
            raise ValueError("the URL is of another body")
        return request.url.encode()

    def events(self, request):
        if request.is_form:
            return [request.text]
        return [each for each in one_or_more(request.text) if parsed(each).get("type") != self.TEST]

    def webhook(self, request, event):
        if request.is_form:
            return super().webhook(request, event)
        return Webhook(event.get("type") or event["eventType"], event.get("id") or digest_of(event))

    def state(self, request, event):  # of a call. Callbacks of messages have no time and no number
        if "CallStatus" not in event or "ConferenceSid" in event or "UnstableSpeechResult" in event:
            raise ValueError("it is another thing")
        return State("call", event["CallSid"], number(event["SequenceNumber"]))


class WooCommerce(Provider):
    def handshake(self, request, is_signed):  # of a new webhook; unsigned
        if not is_signed and re.fullmatch(rb"webhook_id=[0-9]+", request.body):
            return Answer(200, log="WooCommerce's ping")


class Xero(Provider):
    def events(self, request):  # none in its intent to receive, which wants 401 for a wrong signature
        return elements(request.text, "events")

    def state(self, request, event):
        return State(event["eventCategory"], event["resourceId"], instant(event["eventDateUtc"]))


class Zendesk(Provider):
    def webhook(self, request, event):
        if isinstance(event, dict) and str(event.get("type")).startswith("zen:event-type:"):
            return super().webhook(request, event)
        # A trigger or an automation sends what its author has written
        invocation, account = (request.header("X-Zendesk-" + name) for name in ("Webhook-Invocation-Id", "Account-Id"))
        return Webhook("trigger", invocation, brand=account)

    def state(self, request, event):
        kind, name = re.fullmatch("zen:([^:]+):([^:]+)", event["subject"]).groups()
        is_deletion = re.search(r"\.(soft_|permanently_)?deleted$", event["type"])
        return State(kind, name, instant(event["time"]), bool(is_deletion))


class Zoom(Provider):
    def handshake(self, request, is_signed):  # every 72 hours. Unsigned, it would sign for anybody
        if is_signed and request.content.get("event") == "endpoint.url_validation":
            token = request.content["payload"]["plainToken"]
            mac = hmac.new(request.key, token.encode(), self.digest).hexdigest()
            return Answer.json("Zoom's validation", plainToken=token, encryptedToken=mac)

    ENDS = "deleted", "permanently_deleted", "trashed", "disassociated"
    SERIES = "created", "updated", "recovered", *ENDS  # of all of a meeting that recurs. All else happens to one of it

    def state(self, request, event):  # of a meeting, a webinar and so on, not of who takes part
        kind, _, change = event["event"].partition(".")
        thing, name = event["payload"]["object"], "id"
        if not change.isalpha() and change not in self.ENDS:
            raise ValueError("it is another thing")
        if kind == "recording" or kind in ("meeting", "webinar") and change not in self.SERIES:
            kind, name = kind if kind == "recording" else kind + "_instance", "uuid"
        is_of_some = "occurrences" in thing and event["payload"].get("operation") != "all"
        is_deletion = change in self.ENDS and not is_of_some
        return State(kind, thing[name], milliseconds(event["event_ts"]), is_deletion)
