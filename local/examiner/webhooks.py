"""The webhooks of an exam: templates with places to fill, and signatures."""
import base64, copy, hashlib, hmac, json, re, time
from collections import namedtuple
from urllib.parse import parse_qsl, quote

PLACE = re.compile(r"\{\{([a-z0-9]+)(?:=(.*?))?\}\}")
TIMES = "seconds", "milliseconds", "time"
MARK = re.compile(r"exam-[0-9]+-[a-z-]+-[0-9]+")  # in every webhook: by it the exam finds its events
FORM = "application/x-www-form-urlencoded"

Sign = namedtuple("Sign", "headers signed digest is_encoded", defaults=["{{body}}", "sha256", False])
Sign.__doc__ = "How a provider signs: headers with {{hex}}, {{base64}} or {{secret}}, and the text of which they are."


def times(now):
    """The values of the places for a time."""
    text = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
    return {"seconds": str(int(now)), "milliseconds": f"{int(now)}000", "time": text}


def filled(text, values, escaped=str):
    """The text with its places filled. A place without a value takes the default that it names."""
    return PLACE.sub(lambda place: escaped(values.get(place[1], place[2] or "")), text)


def in_json(value):
    return json.dumps(str(value), ensure_ascii=False)[1:-1]


def places(text):
    return {place[1] for place in PLACE.finditer(text)}


class Template:
    """A webhook as a file has it: lines of headers, an empty line, and a body. A file may have the body alone.

    {{id}} or {{number}} is the id of the delivery or event, new for each webhook; {{topic=…}} and {{brand=…}} have
    their usual values. {{more}} says where further members may stand; by default they follow the first brace.
    """

    def __init__(self, text, sign, text_is_key=False):
        is_body = text.lstrip()[:1] in ("{", "[")
        head, _, self.body = ("", "", text) if is_body else text.replace("\r\n", "\n").partition("\n\n")
        self.headers = [tuple(line.split(": ", 1)) for line in head.splitlines()]
        self.sign, self.text_is_key = sign, text_is_key  # whether another text under the same id is another event
        self.body = self.body.rstrip("\n")
        names = dict((name.lower(), value) for name, value in self.headers)
        self.is_form = names.get("content-type", "").startswith(FORM)
        if signing := places(self.body) & {"hex", "base64", "secret", "url", "fields"}:
            raise ValueError("{{%s}} stands in the body: the exam signs in headers only" % "}}, {{".join(sorted(signing)))
        if not self.is_form and "{{more}}" not in self.body:
            start, brace, rest = self.body.partition("{")
            self.body = start + brace + "{{more}}" + ("," if not rest.lstrip().startswith("}") else "") + rest
        before = self.body.partition("{{more}}")[0]
        self.is_one_of_many = not self.is_form and before.count("[") > before.count("]")

    @property
    def can(self):
        """What an exam can ask with this template: names of cases.NEEDS."""
        headers, signing = (" ".join(value for _, value in lines) for lines in (self.headers, self.sign.headers))
        has_id = bool({"id", "number"} & places(headers + self.body))
        signs_id, is_text = "id" in places(signing), "id" in places(headers + self.body)
        is_timed_inside = bool(places(self.body) & {"milliseconds", "seconds", "time"})
        has_mac = bool({"hex", "base64"} & places(signing))
        answers = {
            "id": has_id or signs_id or self.text_is_key,
            "id to leave out": has_id,
            "id of the delivery": (signs_id or "id" in places(headers)) and not self.text_is_key,
            "any id": (signs_id or is_text) and not self.text_is_key,
            "other text": (has_id or signs_id) and not self.text_is_key,
            "topic": "topic" in places(headers + self.body),
            "topic of the delivery": "topic" in places(headers),
            "brand": "brand" in places(headers + self.body),
            "JSON": not self.is_form,
            "whole": not self.is_form and not self.is_one_of_many,
            "untimed": not is_timed_inside,
            "signature": bool(self.sign.headers),
            "mac": has_mac,
            "time": has_mac and bool(is_timed_inside or places(signing + self.sign.signed) & set(TIMES)),
        }
        return {name for name, can in answers.items() if can}

    def webhook(self, mark, number, more="", **values):
        """A new webhook. Its id is made of the number; `more` has further members in JSON, or fields of a form."""
        digest = hashlib.sha256(mark.encode()).hexdigest()
        own = {"id": f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}", "number": number}
        more = self.after("", f'"exam":"{mark}"' + ("," + more if more else ""))
        return Webhook(self, mark, {**times(time.time()), **own, "more": more, **values})

    def after(self, before, members):
        """Further members, or fields of a form, after those that are there."""
        if self.is_form:
            return before + "".join(f"&{name}={quote(value)}" for name, value in fields_of(members))
        return before + "," * bool(before) + members

    def without(self, place):
        """The template without the headers and the members that have this place."""
        other = copy.copy(self)
        other.headers = [each for each in self.headers if place not in places(each[1])]
        member = r'"[^"]*"\s*:\s*"?\{\{%s\}\}"?' % place
        other.body = re.sub(rf"{member}\s*,\s*|,?\s*{member}", "", self.body)
        if self.is_form:
            other.body = "&".join(each for each in self.body.split("&") if place not in places(each))
        return other


def fields_of(members):
    """Members in JSON as fields of a form."""
    return [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in
            json.loads("{%s}" % members).items()]


class Webhook:
    """A webhook of an exam. It has the same text at each delivery, and a new signature."""

    def __init__(self, template, mark, values):
        self.template, self.mark, self.values = template, mark, values
        escaped = quote if template.is_form else in_json
        parts = [filled(part, values, escaped) for part in template.body.split("{{more}}")]
        self.body = values["more"].join(parts).encode("utf-8", "surrogatepass")

    def again(self, more):
        """The same webhook, with the same id, but with another text."""
        more = self.template.after(self.values["more"], more)
        return Webhook(self.template, self.mark, {**self.values, "more": more})

    def with_body(self, body):
        other = copy.copy(self)
        other.body = body
        return other

    def headers(self, secret, url, now=None, body=None, forge=str):
        """The headers of a delivery, signed now or at another time. `body` is what is signed, if it is another one.

        `forge` makes another text of a signature.
        """
        sign, body = self.template.sign, self.body if body is None else body
        values = {**self.values, **times(now or time.time()), "method": "POST", "url": url, "secret": secret}
        fields = parse_qsl(body.decode("latin-1"), keep_blank_values=True) if self.template.is_form else []
        before, _, after = sign.signed.replace("{{fields}}", "".join(map("".join, sorted(set(fields))))).partition(
            "{{body}}")
        signed = filled(before, values).encode() + (body if "{{body}}" in sign.signed else b"")
        signed += filled(after, values).encode()
        key = base64.b64decode(secret[6:]) if sign.is_encoded and secret.startswith("whsec_") else secret.encode()
        mac = hmac.new(key, signed, sign.digest).digest()
        values.update(hex=forge(mac.hex()), base64=forge(base64.b64encode(mac).decode()), secret=forge(secret))
        lines = [*self.template.headers, *sign.headers]
        if not any(name.lower() == "content-type" for name, _ in lines):
            lines.insert(0, ("Content-Type", "application/json"))
        return [(name, filled(value, values).encode("utf-8", "surrogateescape")) for name, value in lines]

    def unsigned(self, headers):
        names = {name for name, value in self.template.sign.headers if {"hex", "base64", "secret"} & places(value)}
        return [each for each in headers if each[0] not in names]

    def differs(self, payload):
        """What of a stored payload is not as it was sent. None if all is."""
        try:
            text, meta = cut(payload)
        except (ValueError, LookupError) as error:
            return f"the stored payload has no readable _meta: {error}"
        if self.template.is_form:
            sent = dict(parse_qsl(self.body.decode(), keep_blank_values=True))
            stored = {name: value for name, value in json.loads(payload).items() if name != "_meta"}
            return None if stored == sent else f"the fields are stored as {shortened(text)}"
        if meta.get("wrapped") == "payload":
            text = re.sub(r'^\{\s*"payload"\s*:\s*', "", text)[:-1].strip()
        sent = self.body.decode("utf-8", "surrogatepass").strip()
        if text == sent or self.template.is_one_of_many and text.strip() in sent:
            return None
        return difference(sent, text)


def cut(payload):
    """A payload without its _meta, which is the last member that has this name, and its _meta."""
    place = payload.rindex('"_meta"')
    start = payload.index(":", place) + 1
    meta, end = json.JSONDecoder(parse_int=str).raw_decode(payload, re.compile(r"\s*").match(payload, start).end())
    head, tail = payload[:place].rstrip(" \t\r\n"), payload[end:].lstrip(" \t\r\n")
    return (head[:-1] if head.endswith(",") else head) + tail, meta


def difference(sent, stored):
    same = next((n for n, (a, b) in enumerate(zip(sent, stored)) if a != b), min(len(sent), len(stored)))
    start = max(0, same - 10)
    return f"sent …{shortened(sent[start:])}, stored …{shortened(stored[start:])}"


def shortened(text, length=60):
    return ascii(text[:length])[1:-1] + "…" * (len(text) > length)
