"""How providers register, sign and describe their webhooks: a class for each. PROVIDER names the one of a connector.py.

Python 3.9 or newer, no packages. docs/connectors.md explains the rules, and how to add a class.
"""
import base64, hashlib, hmac, json, os, re, time
from collections import namedtuple
from datetime import datetime
from functools import cached_property
from urllib.parse import parse_qsl, unquote, urlsplit

TOLERANCE = 300  # seconds; an older signature may be a stolen one
MOST_FIELDS = 10_000  # of a form; Twilio signs them, so they are read before it is known who sent them
DECODER = json.JSONDecoder(parse_int=str)  # int() refuses more than 4,300 digits
SPACES = re.compile(r"[ \t\r\n]*")
Webhook = namedtuple("Webhook", "topic key shop brand", defaults=[None, None])


class Answer(namedtuple("Answer", "status text type log", defaults=["", "text/plain", None])):
    """What a provider gets, and what the log gets."""

    @classmethod
    def json(cls, log, **members):
        return cls(200, json.dumps(members), "application/json", log)


class Request:
    """A request that has come. The URL is the one that its sender has used."""

    def __init__(self, method, url, headers, body=b""):
        self.method, self.url, self.headers, self.body = method, url, headers, body

    def header(self, name):  # http.server reads bytes as ISO 8859-1
        return self.headers.get(name, "").strip(" \t").encode("iso-8859-1").decode("utf-8", "surrogateescape")

    @property
    def query(self):
        return dict(parse_qsl(urlsplit(self.url).query))

    @property
    def is_form(self):
        return self.headers.get_content_type() == "application/x-www-form-urlencoded"

    @cached_property
    def text(self):
        """The body as JSON. A form becomes an object: a field is a text, or an array of texts if it is there twice."""
        if not self.is_form:
            return self.body.decode()
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
        pairs = parse_qsl(self.body.decode("iso-8859-1"), keep_blank_values=True, encoding="iso-8859-1",
                          max_num_fields=MOST_FIELDS)
        for charset in self.headers.get_content_charset("utf-8"), "utf-8":
            try:
                return [tuple(each.encode("iso-8859-1").decode(charset) for each in pair) for pair in pairs]
            except (LookupError, UnicodeError):
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
        start = [start for each, start, _ in parts(text, start) if each == name][-1]
    if text[start] != "[":
        raise ValueError("it has no array")
    return [text[start:end] for _, start, end in parts(text, start)]


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


def digest_of(event):
    """A key for an event that has no id: an event that is the same in all is the same."""
    return hashlib.sha256(json.dumps(event).encode()).hexdigest()


def is_recent(seconds):
    return abs(time.time() - int(seconds)) <= TOLERANCE


def recent(seconds):
    """The time that is signed, in bytes. An old one may be that of a stolen webhook."""
    if not is_recent(seconds):
        raise ValueError("the signature is old")
    return str(seconds).encode()


def in_hex(signature, prefix=""):
    return [bytes.fromhex(signature[len(prefix):])] if signature.startswith(prefix) else []


def in_base64(signature):
    return [base64.b64decode(signature, validate=True)]


def timed(header):
    """The time and the signatures of a header such as t=1700000000,v1=00ff,v1=11ee."""
    parts = [part.strip().partition("=")[::2] for part in header.split(",")]
    return dict(parts).get("t", ""), [bytes.fromhex(value) for name, value in parts if name == "v1"]


class Provider:
    """How a provider registers a webhook, signs it, and what events it holds. Each subclass has the provider's name."""

    most = 25_000_000  # bytes of a body; GitHub sends no more
    digest = "sha256"  # of the HMAC
    brand = ()  # the places where an event may say whose it is
    signs_url = gives_secret = False

    def __init__(self, secrets, secret_file):
        self.secrets, self.secret_file = secrets, secret_file
        if not all(isinstance(place, tuple) for place in self.brand):
            raise TypeError('brand is a tuple of tuples, such as (("account_id",),)')
        if self.gives_secret and not secrets and os.path.exists(secret_file):
            with open(secret_file, "rb") as file:
                self.secrets = file.read().split()

    def handshake(self, request, is_signed):
        """The answer to what is no delivery, such as a small test of the URL. None if it is one."""

    def signed(self, request):
        """The bytes that are signed."""
        return request.body

    def signatures(self, request):
        """The signatures that came, each as bytes: one, or several while a secret is being replaced."""
        raise NotImplementedError

    def keys(self):
        """The secrets as keys of the signature."""
        return self.secrets

    def is_signed(self, request):
        try:
            signed, sent = self.signed(request), self.signatures(request)
            macs = [hmac.new(key, signed, self.digest).digest() for key in self.keys()]
        except (ValueError, LookupError, TypeError):
            return False
        return any([hmac.compare_digest(mac, each) for mac in macs for each in sent])

    def has_secret(self, sent):
        """Whether a text that came is the secret itself."""
        return any([hmac.compare_digest(secret, sent.encode("utf-8", "surrogateescape")) for secret in self.secrets])

    def keep_secret(self, secret):
        """Keeps the secret that a provider gives when a webhook is registered. A second one may be a stranger's."""
        if self.secrets:
            is_known = self.secrets == [secret.encode()]
            return Answer(200 if is_known else 401, log="it brings a secret, but there is one")
        with open(os.open(self.secret_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secret)
        self.secrets = [secret.encode()]
        return Answer(200, log=f"its secret is in {self.secret_file}")

    def events(self, request):
        """The texts of the events of a delivery, each a JSON object."""
        return [request.text]

    def webhook(self, request, event):
        """The topic and the key of an event, and whose it is if the event does not say so itself."""
        raise NotImplementedError


class GitHub(Provider):  # docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    brand = ("organization", "login"), ("repository", "full_name")

    def handshake(self, request, is_signed):  # of every new webhook
        if is_signed and request.header("X-GitHub-Event") == "ping":
            return Answer(200, log="GitHub's ping")

    def signatures(self, request):
        return in_hex(request.header("X-Hub-Signature-256"), "sha256=")

    def webhook(self, request, event):
        return Webhook(request.header("X-GitHub-Event"), request.header("X-GitHub-Delivery"))


class GitLab(Provider):  # docs.gitlab.com/user/project/integrations/webhooks
    brand = (("project", "path_with_namespace"),)

    def is_signed(self, request):  # by its signing token, or the older secret token itself
        if request.header("Webhook-Signature"):
            return super().is_signed(request)
        return self.has_secret(request.header("X-Gitlab-Token"))

    def keys(self):
        return [base64.b64decode(secret[6:]) for secret in self.secrets if secret.startswith(b"whsec_")]

    def signed(self, request):
        return b"%s.%s.%s" % (
            request.header("Webhook-Id").encode(), recent(request.header("Webhook-Timestamp")), request.body)

    def signatures(self, request):
        signatures = (each.split(",") for each in request.header("Webhook-Signature").split(" "))
        return [base64.b64decode(signature) for version, signature in signatures if version == "v1"]

    def webhook(self, request, event):
        return Webhook(request.header("X-Gitlab-Event"), request.header("Idempotency-Key"))


class HubSpot(Provider):  # developers.hubspot.com/docs/api/webhooks/validating-requests
    brand = (("portalId",),)
    signs_url = True
    DECODED = re.compile("%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)", re.IGNORECASE)  # in the URL, and nothing else
    IDS = "subscriptionId", "eventId", "objectId", "fromObjectId", "toObjectId", "occurredAt"

    def signed(self, request):
        sent_at = request.header("X-HubSpot-Request-Timestamp")
        recent(sent_at[:-3])  # it is in milliseconds
        url = self.DECODED.sub(lambda each: unquote(each[0]), request.url)
        return f"{request.method}{url}".encode() + request.body + sent_at.encode()

    def signatures(self, request):
        return in_base64(request.header("X-HubSpot-Signature-v3"))

    def events(self, request):
        return elements(request.text)

    def webhook(self, request, event):
        ids = [event[name] for name in self.IDS if name in event]
        return Webhook(event.get("subscriptionType") or event["eventType"], "-".join(ids))


class Linear(Provider):  # linear.app/developers/webhooks
    brand = (("organizationId",),)

    def is_signed(self, request):  # the time is in the body, which nobody reads before it is known to be Linear's
        return super().is_signed(request) and is_recent(request.content["webhookTimestamp"][:-3])  # in milliseconds

    def signatures(self, request):
        return in_hex(request.header("Linear-Signature"))

    def webhook(self, request, event):
        return Webhook(request.header("Linear-Event") + "/" + event["action"], request.header("Linear-Delivery"))


class Mailchimp(Provider):  # mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks
    brand = (("data[list_id]",),)

    def handshake(self, request, is_signed):
        if request.method != "POST":
            return Answer(200, log="Mailchimp's test of the URL")

    def is_signed(self, request):  # a webhook that it does not sign has the secret in its URL
        if request.header("X-Mailchimp-Signature"):
            return super().is_signed(request)
        return self.has_secret(request.query.get("secret", ""))

    def signed(self, request):
        return recent(timed(request.header("X-Mailchimp-Signature"))[0]) + b"." + request.body

    def signatures(self, request):
        return timed(request.header("X-Mailchimp-Signature"))[1]

    def webhook(self, request, event):
        return Webhook(event["type"], digest_of(event))


class Notion(Provider):  # developers.notion.com/reference/webhooks
    brand = (("workspace_id",),)
    gives_secret = True

    def handshake(self, request, is_signed):
        secret = request.content.get("verification_token")
        if isinstance(secret, str):
            return self.keep_secret(secret)

    def signatures(self, request):
        return in_hex(request.header("X-Notion-Signature"), "sha256=")

    def webhook(self, request, event):
        return Webhook(event["type"], event["id"])


class Okta(Provider):  # developer.okta.com/docs/concepts/event-hooks
    def handshake(self, request, is_signed):
        challenge = request.header("X-Okta-Verification-Challenge")
        if request.method == "GET" and challenge:
            return Answer.json("Okta's challenge", verification=challenge)

    def is_signed(self, request):
        return self.has_secret(request.header("Authorization"))

    def events(self, request):
        return elements(request.text, "data", "events")

    def webhook(self, request, event):
        return Webhook(event["eventType"], event["uuid"], brand=urlsplit(request.content["source"]).hostname)


class Shopify(Provider):  # shopify.dev/docs/apps/build/webhooks/verify-deliveries
    def header(self, request, name):  # shopify.dev/docs/apps/build/events/delivery-structure: newer ones have no X-
        return request.header("X-Shopify-" + name) or request.header("Shopify-" + name)

    def signatures(self, request):
        return in_base64(self.header(request, "Hmac-Sha256"))

    def webhook(self, request, event):
        return Webhook(*(self.header(request, name) for name in ("Topic", "Webhook-Id", "Shop-Domain")))


class Slack(Provider):  # docs.slack.dev/authentication/verifying-requests-from-slack
    brand = ("team_id",), ("team", "id"), ("enterprise", "id")

    def handshake(self, request, is_signed):  # docs.slack.dev/reference/events/url_verification
        if is_signed and request.content.get("type") == "url_verification":
            return Answer(200, request.content["challenge"], log="Slack's challenge")
        if request.content.get("ssl_check") == "1":
            return Answer(200, log="Slack's test of the certificate")

    def signed(self, request):
        sent_at = request.header("X-Slack-Request-Timestamp")
        return b"v0:%s:%s" % (recent(sent_at), request.body)

    def signatures(self, request):
        return in_hex(request.header("X-Slack-Signature"), "v0=")

    def webhook(self, request, event):
        if "event_id" in event:
            return Webhook(event["event"]["type"], event["event_id"])
        if not request.is_form:
            return Webhook(event["type"], digest_of(event))
        topic = "command" + event["command"] if "command" in event else "interaction/" + event["type"]
        return Webhook(topic, event.get("trigger_id") or digest_of(event))


class Square(Provider):  # developer.squareup.com/docs/webhooks/step3validate
    brand = (("merchant_id",),)
    signs_url = True

    def handshake(self, request, is_signed):
        if is_signed and request.content.get("type") == "webhooks.test_notification":
            return Answer(200, log="Square's test of the URL")

    def signed(self, request):
        return request.url.encode() + request.body

    def signatures(self, request):
        return in_base64(request.header("X-Square-HmacSha256-Signature"))

    def webhook(self, request, event):
        return Webhook(event["type"], event["event_id"])


class Stripe(Provider):  # docs.stripe.com/webhooks/signature
    brand = ("account",), ("context",)  # of a connected account; in events of the API v1 and v2

    def signed(self, request):
        return recent(timed(request.header("Stripe-Signature"))[0]) + b"." + request.body

    def signatures(self, request):  # several, while a secret is being replaced
        return timed(request.header("Stripe-Signature"))[1]

    def webhook(self, request, event):
        return Webhook(event["type"], event["id"])


class Twilio(Provider):  # www.twilio.com/docs/usage/webhooks/webhooks-security
    brand = ("AccountSid",), ("data", "accountSid")
    digest = "sha1"
    signs_url = True
    TEST = "com.twilio.eventstreams.test-event"

    def signed(self, request):
        if request.is_form:
            return request.url.encode() + "".join(name + value for name, value in sorted(set(request.fields))).encode()
        if request.query.get("bodySHA256") != hashlib.sha256(request.body).hexdigest():
            raise ValueError("the URL is of another body")
        return request.url.encode()

    def signatures(self, request):
        return in_base64(request.header("X-Twilio-Signature"))

    def events(self, request):
        if request.is_form:
            return [request.text]
        return [each for each in elements(request.text) if parsed(each).get("type") != self.TEST]

    def webhook(self, request, event):
        if not request.is_form:
            return Webhook(event["type"], event["id"])
        kind = next(each for each in ("Message", "Call", "Sms") if each + "Status" in event)
        return Webhook(f"{kind.lower()}/{event[kind + 'Status']}", request.header("I-Twilio-Idempotency-Token"))


class WooCommerce(Provider):  # developer.woocommerce.com/docs/best-practices/urls-and-routing/webhooks
    def handshake(self, request, is_signed):  # of a new webhook; unsigned
        if not is_signed and re.fullmatch(rb"webhook_id=[0-9]+", request.body):
            return Answer(200, log="WooCommerce's ping")

    def signatures(self, request):
        return in_base64(request.header("X-WC-Webhook-Signature"))

    def webhook(self, request, event):
        topic, delivery, signature, source = (
            request.header("X-WC-Webhook-" + name) for name in ("Topic", "Delivery-ID", "Signature", "Source"))
        return Webhook(topic, delivery and f"{delivery}-{signature}", urlsplit(source).hostname)


class Xero(Provider):  # developer.xero.com/documentation/guides/webhooks/overview
    brand = (("tenantId",),)

    def signatures(self, request):
        return in_base64(request.header("X-Xero-Signature"))

    def events(self, request):  # none in its intent to receive, which wants 401 for a wrong signature
        return elements(request.text, "events")

    def webhook(self, request, event):
        return Webhook(event["eventCategory"] + "/" + event["eventType"], digest_of(event))


class Zendesk(Provider):  # developer.zendesk.com/documentation/webhooks/verifying
    brand = (("account_id",),)

    def signed(self, request):
        sent_at = request.header("X-Zendesk-Webhook-Signature-Timestamp")
        recent(datetime.fromisoformat(sent_at.replace("Z", "+00:00")).timestamp())
        return sent_at.encode() + request.body

    def signatures(self, request):
        return in_base64(request.header("X-Zendesk-Webhook-Signature"))

    def webhook(self, request, event):
        return Webhook(event["type"], event["id"])


class Zoom(Provider):  # developers.zoom.us/docs/api/webhooks
    brand = (("payload", "account_id"),)

    def handshake(self, request, is_signed):  # every 72 hours. Unsigned, it would sign for anybody
        if is_signed and request.content.get("event") == "endpoint.url_validation":
            token = request.content["payload"]["plainToken"]
            mac = hmac.new(self.secrets[0], token.encode(), self.digest).hexdigest()
            return Answer.json("Zoom's validation", plainToken=token, encryptedToken=mac)

    def signed(self, request):
        sent_at = request.header("X-Zm-Request-Timestamp")
        return b"v0:%s:%s" % (recent(sent_at), request.body)

    def signatures(self, request):
        return in_hex(request.header("X-Zm-Signature"), "v0=")

    def webhook(self, request, event):
        return Webhook(event["event"], digest_of(event))
