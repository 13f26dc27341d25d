"""Tests of providers.py: its signatures, against values that the providers publish, and the events of a delivery."""
import base64, hmac, json, os, random, re, sys, tempfile, unittest
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from unittest import mock

from running import EXAMPLES, IS_NIGHTLY
sys.path.insert(0, EXAMPLES)
import providers
from providers import elements

NOW = 1_700_000_000
URL = "https://hooks.example.com/webhooks"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
FORM_HEADER = {"Content_Type": "application/x-www-form-urlencoded"}
ZENDESK = {"X_Zendesk_Webhook_Invocation_Id": "i1", "X_Zendesk_Account_Id": "a1"}
SLACK = (
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar"
    "&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
    "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
    "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c")
SQUARE = (
    '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification",'
    '"event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z",'
    '"data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}')
TWILIO = "https://mycompany.com/myapp.php?foo=1&bar=2"
TWILIO_JSON = TWILIO + "&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620"
STRIPE = """\
{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "cus_123",
      "object": "customer",
      "created": 123456789,
      "email": "test@stripe.com",
      "livemode": false,
      "metadata": {}
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "customer.created"
}
"""

# Of each provider, what it publishes: class, secret, time, URL, headers, body.
PUBLISHED = {
    # docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    "GitHub": ("It's a Secret to Everybody", NOW, URL,
               {"X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"},
               "Hello, World!"),
    # docs.slack.dev/authentication/verifying-requests-from-slack
    "Slack": ("8f742231b10e8888abcd99yyyzzz85a5", 1531420618, URL,
              {**FORM, "X-Slack-Request-Timestamp": "1531420618",
               "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"}, SLACK),
    # github.com/square/square-nodejs-sdk/blob/HEAD/tests/integration/webhooks.test.ts
    "Square": ("Ibxx_5AKakO-3qeNVR61Dw", NOW, "https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9",
               {"X-Square-HmacSha256-Signature": "GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4="}, SQUARE),
    # github.com/twilio/twilio-python/blob/HEAD/tests/unit/test_request_validator.py
    "Twilio": ("12345", NOW, TWILIO, {**FORM, "X-Twilio-Signature": "RSOYDt4T1cUTdK1PDd93/VVr8B8="},
               "To=%2B18005551212&From=%2B14158675309&Digits=1234&Caller=%2B14158675309&CallSid=CA1234567890ABCDE"),
    "Twilio, JSON": ("12345", NOW, TWILIO_JSON, {"X-Twilio-Signature": "a9nBmqA0ju/hNViExpshrM61xv4="},
                     '{"property": "value", "boolean": true}'),
    "Twilio, a field twice": ("12345", NOW, TWILIO, {**FORM, "X-Twilio-Signature": "IK+Dwps556ElfBT0I3Rgjkr1wJU="},
                              "Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234"),
    # shopify-api/lib/webhooks/__tests__/validate.test.ts in github.com/Shopify/shopify-app-js
    "Shopify": ("test_secret_key", NOW, URL, {
        "X-Shopify-Hmac-Sha256": "B23tXN681gZ0qIWNRrgtzBE9XSDo5yaUu6wfmhu3a7g="}, '{"foo": "bar"}'),
    # src/StripeTests/Services/Events/EventUtilityTest.cs in github.com/stripe/stripe-dotnet
    "Stripe": ("webhook_secret", 1533204620, URL, {
        "Stripe-Signature": "t=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7"
                            ",v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef"}, STRIPE),
    # developers.notion.com/reference/webhooks
    "Notion": ("secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl", NOW, URL, {
        "X-Notion-Signature": "sha256=461e8cbcba8a75c3edd866f0e71280f5a85cbf21eff040ebd10fe266df38a735"},
        '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}'),
    # tests/spec/utils/test_signature.py in github.com/HubSpot/hubspot-api-python
    "HubSpot": ("yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy", 15_000, "https://www.example.com/webhook_uri", {
        "X-HubSpot-Request-Timestamp": "15000000",
        "X-HubSpot-Signature-v3": "HPW73RUtKmcYoEDADG0s6MmGFWUzWJKAW07r8RDgcQw="}, "{'example_field':'example_value'}"),
    # github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/webhook.test.ts
    "GitLab, signed": ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1614265330, URL, {
        "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "Webhook-Timestamp": "1614265330",
        "Webhook-Signature": "v1a,AAAA v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
        '{"test": 2432232314}'),
    "StandardWebhooks": ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1614265330, URL, {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,AAAA "
                             "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}, '{"test": 2432232314}'),
    # github.com/svix/svix-webhooks/blob/main/python/tests/test_webhooks.py
    "StandardWebhooks, Svix": ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1614265330, URL, {
        "svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "svix-timestamp": "1614265330",
        "svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}, '{"test": 2432232314}'),
}
BODY = '{"id": 1.0, "text": "é"}'
# Of the others, what OpenSSL computes: openssl dgst -sha256 -hmac hush.
COMPUTED = {
    "WooCommerce": ("hush", NOW, URL, {"X-WC-Webhook-Signature": "o+4Zh0B55WWOAgIbvGPJ1UN/qp0r9jwoug2zut+29lY="}, BODY),
    "Xero": ("hush", NOW, URL, {"X-Xero-Signature": "o+4Zh0B55WWOAgIbvGPJ1UN/qp0r9jwoug2zut+29lY="}, BODY),
    "Linear": ("hush", NOW, URL, {
        "Linear-Signature": "de5c78a6a810b89925c2c3a415808a2158968e567c9e414bbf11e5ad8c022a42"},
        '{"webhookTimestamp":1700000000123}'),
    "Stripe, several": ("hush", NOW, URL, {
        "Stripe-Signature": "t=1700000000,v1=00,v0=11"
                            ",v1=356cd1bc0c0d3f38524c7bf61b450b67f9ec824434a397e2f2d28aba933d917d"}, BODY),
    "Mailchimp, signed": ("hush", NOW, URL, {
        "X-Mailchimp-Signature": "t=1700000000,"
                                 "v1=356cd1bc0c0d3f38524c7bf61b450b67f9ec824434a397e2f2d28aba933d917d"}, BODY),
    "Zendesk": ("hush", NOW, URL, {"X-Zendesk-Webhook-Signature-Timestamp": "2023-11-14T22:13:20Z",
                                   "X-Zendesk-Webhook-Signature": "xehZP7vzTiCVtTlZ0yW9xO1EkywNMRvuAMIZ/OlLjqw="},
                BODY),
    "Zoom": ("hush", NOW, URL, {"X-Zm-Request-Timestamp": "1700000000", "X-Zm-Signature": "v0=261bbc098a20fe67d2ea897b3"
                                "c8a155855eb77d6f14b5905f2a345e5c4411a03"}, BODY),
}
# These sign nothing: they send the secret.
SENT = {
    "GitLab": ("hush", NOW, URL, {"X-Gitlab-Token": "hush"}, BODY),
    "Mailchimp": ("hush", NOW, URL + "?secret=hush", FORM, "type=subscribe"),
    "Okta": ("hush", NOW, URL, {"Authorization": "hush"}, BODY),
}
SIGNED = {**PUBLISHED, **COMPUTED, **SENT}
AGED = {"GitLab, signed", "HubSpot", "Linear", "Mailchimp, signed", "Slack", "Stripe", "StandardWebhooks",
        "StandardWebhooks, Svix", "Stripe, several", "Zendesk", "Zoom"}
SIGNS_URL = {"Square", "Twilio", "HubSpot"}


def request(body="", headers=(), method="POST", url=URL):
    message = Message()
    for name, value in dict(headers).items():
        message[name] = value
    return providers.Request(method, url, message, body if isinstance(body, bytes) else body.encode())


def provider(name, *secrets):
    return getattr(providers, name.partition(",")[0])([secret.encode() for secret in secrets], "no file")


class Page(unittest.TestCase):
    def test_the_keys_that_the_page_tells_to_mind_are_those_of_the_forms(self):
        with open(os.path.join(EXAMPLES, "../docs/connectors.md"), encoding="utf-8") as page:
            rows = re.findall(r"^- ((?:\*\*\w+\*\*(?:, )?)+): ([^;\n]+)", page.read(), re.MULTILINE)
        minded = {name: re.findall("`(.+?)`", keys) for names, keys in rows for name in re.findall(r"\w+", names)
                  if "{{" in keys}
        self.assertEqual(len(minded), 6)
        for name, keys in minded.items():
            self.assertEqual(keys, providers.FORMS[name]["key"], name)


class Signatures(unittest.TestCase):
    def is_signed(self, name, secrets=None, at=0, url=None, headers=None, body=None):
        secret, now, own_url, own_headers, own_body = SIGNED[name]
        sent = request(body or own_body, own_headers if headers is None else headers, url=url or own_url)
        with mock.patch.object(providers.time, "time", lambda: float(now + at)):
            return provider(name, *(secrets or [secret])).accepts(sent)

    def test_each_provider_is_here(self):
        here = {name.partition(",")[0] for name in SIGNED}
        self.assertEqual(here, {each.__name__ for each in providers.Provider.__subclasses__()})

    def test_takes_the_right_signature_also_while_a_secret_is_replaced(self):
        for name, (secret, *_) in SIGNED.items():
            with self.subTest(name):
                self.assertTrue(self.is_signed(name))
                self.assertTrue(self.is_signed(name, secrets=["another", secret]))
                self.assertTrue(self.is_signed(name, secrets=[secret, "another"]))

    def test_refuses_another_secret_another_body_and_what_is_no_signature(self):
        for name, (_, _, url, headers, body) in SIGNED.items():
            with self.subTest(name):
                self.assertFalse(self.is_signed(name, secrets=["another"]))
                self.assertEqual(self.is_signed(name, body=body + " "), name in SENT)
                self.assertFalse(self.is_signed(name, headers={}, url=URL))
                for wrong in "", "é", "AAAA", "v0=é", "sha256=00", "t=now,v1=é,=,", "=", "9" * 400:
                    replaced = {each: value if each == "Content-Type" else wrong for each, value in headers.items()}
                    self.assertFalse(self.is_signed(name, headers=replaced, url=url.replace("=hush", "=" + wrong)))

    def test_refuses_an_old_signature_where_the_provider_signs_a_time(self):
        for name in SIGNED:
            with self.subTest(name):
                self.assertTrue(self.is_signed(name, at=299) and self.is_signed(name, at=-299))
                self.assertEqual(not self.is_signed(name, at=301), name in AGED)
                self.assertEqual(not self.is_signed(name, at=-301), name in AGED)

    def test_the_log_says_why_a_signature_is_refused(self):
        for name, (secret, now, url, headers, body) in SIGNED.items():
            with self.subTest(name):
                self.assertEqual(self.why(name, headers={}, url=URL)[:10], "it has no ")
                if name in AGED:
                    self.assertEqual(self.why(name, at=301), "its time is 301 s ago")
                    self.assertTrue(self.why(name, at=-400).startswith("its time is 400 s in the future"))
                padded = self.why(name, secrets=[f' "{secret}"'])
                self.assertEqual(padded, "WEBHOOK_SECRET has quotes or spaces that do not belong to it")
                self.assertIn("it is of none of the secrets (2)", self.why(name, secrets=["one", "other"]))
                if name.partition(",")[0] in SIGNS_URL:
                    other = url.replace("https://", "http://").replace(".com/", ".com:443/")
                    self.assertEqual(self.why(name, url=other), "it is signed for %s: set WEBHOOK_URL to that" %
                                     url.partition("?")[0])
                if name not in SENT and "Twilio" not in name and not body.endswith("\n"):
                    self.assertEqual(self.why(name, body=body + "\n").partition(":")[0],
                                     "its body was changed on the way")
        self.assertEqual(self.why("Shopify", body='{"foo":"bar"}').partition(":")[0], "its body was changed on the way")
        self.assertEqual(provider("Notion").why(request(BODY)), "there is no secret yet")

    def why(self, name, secrets=None, at=0, url=None, headers=None, body=None):
        secret, now, own_url, own_headers, own_body = SIGNED[name]
        sent = request(body or own_body, own_headers if headers is None else headers, url=url or own_url)
        its = provider(name, *(secrets or [secret]))
        with mock.patch.object(providers.time, "time", lambda: float(now + at)):
            self.assertFalse(its.accepts(sent))
            return its.why(sent)

    def test_a_long_url_of_a_stranger_is_cut_in_the_log(self):
        answer = provider("Square", "hush").take(request(BODY, url=URL + "/a" * 4_000), None)
        self.assertEqual(answer.status, 401)
        self.assertLess(len(answer.log), 500)

    def test_takes_mailchimps_secret_as_it_stands_in_the_url_or_encoded(self):
        for secret, query in ("a+b", "a+b"), ("a+b", "a%2Bb"), ("a b", "a+b"), ("a b", "a%20b"), ("a%41", "a%41"):
            self.assertTrue(provider("Mailchimp", secret).accepts(request(url=f"{URL}?x=1&secret={query}")))
        its = provider("Mailchimp", "a&b")
        for query, status in ("", 200), ("?secret=a&b", 401), ("?secret=a%26b", 200):
            sent = request(method="GET", url=URL + query)
            self.assertEqual(its.handshake(sent, its.accepts(sent)).status, status)

    def test_refuses_another_url_where_the_provider_signs_it(self):
        for name, (_, _, url, *_) in SIGNED.items():
            with self.subTest(name):
                signs = provider(name).signs_url
                self.assertEqual(signs, name.partition(",")[0] in SIGNS_URL)
                self.assertEqual(not self.is_signed(name, url=url.replace("https", "http")), signs)

    def test_decodes_of_hubspots_url_what_its_page_says(self):
        sent = request(url=URL + "?a=%3a%2F%40&b=%20%25", headers={"X-HubSpot-Request-Timestamp": f"{NOW}000"})
        with mock.patch.object(providers.time, "time", lambda: float(NOW)):
            self.assertEqual(provider("HubSpot").signed(sent), f"POST{URL}?a=:/@&b=%20%25{NOW}000".encode())

    def test_reads_no_content_before_it_knows_the_sender(self):
        """JSON takes up to 30 times its size in memory, and a form more."""
        for name, (*_, headers, body) in SIGNED.items():
            with self.subTest(name), mock.patch.object(providers, "parsed", lambda _: self.fail("it is read")):
                self.assertFalse(self.is_signed(name, secrets=["another"]))
        many = "&".join(["a=1"] * 10_001)
        self.assertFalse(self.is_signed("Twilio", body=many))
        self.assertEqual(request(many, FORM).content, {})

    def test_signs_nothing_without_a_secret(self):
        for name in SIGNED:
            self.assertFalse(self.is_signed(name, secrets=[""]) or provider(name).accepts(request(BODY)))
        mac = base64.b64encode(hmac.new(b"", f"m.{NOW}.{{}}".encode(), "sha256").digest()).decode()
        headers = {"webhook-id": "m", "webhook-timestamp": str(NOW), "webhook-signature": "v1," + mac}
        with mock.patch.object(providers.time, "time", lambda: float(NOW)):
            for name in "StandardWebhooks", "GitLab":
                self.assertFalse(provider(name, "whsec_").accepts(request("{}", headers)))

    def test_a_class_of_a_class_has_a_form_of_what_differs(self):
        secret, now, url, headers, body = SIGNED["StandardWebhooks"]
        kind = type("OpenAI", (providers.StandardWebhooks,), {})
        with mock.patch.dict(providers.FORMS, {"OpenAI": {"page": "a", "brand": ["{{.org}}"]}}), mock.patch.object(
                providers.time, "time", lambda: float(now)):
            self.assertIs(providers.kind_of("openai"), kind)
            self.assertTrue(kind([secret.encode()]).accepts(request(body, headers)))
            ((key, event),), _ = kind([secret.encode()]).rows(request('{"type":"a.b","org":"o"}', headers))
        self.assertEqual((key, json.loads(event)["payload"]["_meta"]["brand_id"]), (headers["webhook-id"], "o"))


class Handshakes(unittest.TestCase):
    SIGNED_BY_HUSH = {"X-Notion-Signature": "sha256=a3ee19874079e5658e02021bbc63c9d5437faa9d2bf63c28ba0db3badfb6f656"}

    def answer(self, name, body="", is_signed=True, method="POST", **headers):
        sent = {header.replace("_", "-"): value for header, value in headers.items()}
        asked = request(body, sent, method)
        asked.key = b"hush" if is_signed else None
        return provider(name, "hush").handshake(asked, is_signed)

    def test_answers_a_challenge_with_what_the_provider_wants(self):
        self.assertEqual(
            self.answer("Slack", '{"token":"t","challenge":"3eZbrw1aBm","type":"url_verification"}')[:3],
            (200, "3eZbrw1aBm", "text/plain"))
        self.assertEqual(
            self.answer("Okta", method="GET", is_signed=False, X_Okta_Verification_Challenge="c\"1")[:3],
            (200, '{"verification": "c\\"1"}', "application/json"))
        self.assertEqual(self.answer("Mailchimp", method="GET").status, 200)

    def test_signs_a_token_with_the_secret_that_has_signed_the_request(self):
        body = '{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"}}'
        mac = hmac.new(b"hush", f"v0:{NOW}:{body}".encode(), "sha256").hexdigest()
        with mock.patch.object(providers.time, "time", lambda: float(NOW)):
            for secrets in ["hush"], ["hush", "another"], ["another", "hush"]:
                zoom = provider("Zoom", *secrets)
                sent = request(body, {"X-Zm-Request-Timestamp": str(NOW), "X-Zm-Signature": "v0=" + mac})
                self.assertEqual(json.loads(zoom.handshake(sent, zoom.accepts(sent)).text), {
                    "plainToken": "qgg8vlvZRS6UYooatFL8Aw",
                    "encryptedToken": "36517668f50730dfc6247803d9cc2b23e89a05172ec38cd1797466a23164362a"})

    def test_computes_nothing_for_a_stranger(self):
        """Zoom's answer to a token is what would sign a webhook of that text."""
        forged = json.dumps({"event": "endpoint.url_validation", "payload": {"plainToken": f"v0:{NOW}:{{}}"}})
        self.assertIsNone(self.answer("Zoom", forged, is_signed=False))
        self.assertIsNone(self.answer("Slack", '{"challenge":"c","type":"url_verification"}', is_signed=False))

    def test_answers_what_is_no_event(self):
        self.assertEqual(self.answer("GitHub", '{"zen":"z"}', X_GitHub_Event="ping").status, 200)
        self.assertEqual(self.answer("Square", SQUARE).status, 200)
        self.assertEqual(self.answer("WooCommerce", "webhook_id=7", is_signed=False, **FORM).status, 200)
        self.assertEqual(self.answer("Slack", "ssl_check=1&token=t", is_signed=False, **FORM).status, 200)

    def test_leaves_an_event_alone(self):
        for name in SIGNED:
            for body in BODY, "[]", "x", '{"event":"endpoint.url_validatio"}':
                self.assertIsNone(self.answer(name, body))
        self.assertIsNone(self.answer("WooCommerce", "webhook_id=7&a=b", is_signed=False, **FORM))

    def test_keeps_the_first_secret_that_a_provider_gives(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "outbox.db.secret")
            notion, other = providers.Notion([], file), providers.Notion([], file)  # of two processes
            self.assertFalse(notion.accepts(request(BODY, self.SIGNED_BY_HUSH)))
            for secret, status in ("hush", 200), ("another", 401), ("hush", 200):
                sent = request(json.dumps({"verification_token": secret}))
                self.assertEqual(notion.handshake(sent, notion.accepts(sent)).status, status)
            self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
            for each in notion, other, providers.Notion([], file):
                self.assertTrue(each.accepts(request(BODY, self.SIGNED_BY_HUSH)))
            self.assertFalse(providers.Notion([b"another"], file).accepts(request(BODY, self.SIGNED_BY_HUSH)))
            with open(file, "w"):  # as version 0.11 left it
                pass
            again = providers.Notion([], file)
            self.assertFalse(again.accepts(request(BODY, self.SIGNED_BY_HUSH)))
            for secret, status in ("\\ud800", 401), ("", 401), ("a b", 401), ("hush", 200):
                sent = request('{"verification_token":"%s"}' % secret)
                self.assertEqual(again.handshake(sent, again.accepts(sent)).status, status)
            self.assertTrue(providers.Notion([], file).accepts(request(BODY, self.SIGNED_BY_HUSH)))
            self.assertEqual(os.listdir(folder), ["outbox.db.secret"])
            os.remove(file)
            self.assertFalse(notion.accepts(request(BODY, self.SIGNED_BY_HUSH)))
            link = request(url=URL + "?verification_token=evil", method="GET")
            self.assertIsNone(notion.handshake(link, notion.accepts(link)))

    def test_keeps_a_secret_for_each_webhook_of_a_sender_that_is_known(self):
        """As the class for Asana on the page does: its URL has WEBHOOK_SECRET."""
        def handshake(self, request, is_signed):
            secret = request.header("X-Hook-Secret")
            if secret and self.keep_secret(secret, self.has_secret(request.parameter("secret"))).status == 200:
                return providers.Answer(200, headers=[("X-Hook-Secret", secret)])

        kind = type("Asana", (providers.Shopify,), {"gives_secrets": True, "handshake": handshake})
        with tempfile.TemporaryDirectory() as folder:
            its, other = (kind([b"of-the-url"], os.path.join(folder, "outbox.db.secret")) for _ in range(2))
            known = "?secret=of-the-url"
            for secret, query, is_kept in ("hush", known, True), ("evil", "", False), ("evil", "?secret=wrong", False), (
                    "another", known, True), ("a b", known, False):
                sent = request("{}", {"X-Hook-Secret": secret}, url=URL + query)
                answer = its.handshake(sent, its.accepts(sent))
                self.assertEqual(answer and answer.headers, [("X-Hook-Secret", secret)] if is_kept else None)
            for secret, is_signed in ("hush", True), ("another", True), ("of-the-url", True), ("evil", False):
                mac = base64.b64encode(hmac.new(secret.encode(), b"{}", "sha256").digest()).decode()
                for each in its, other, kind([b"of-the-url"], its.secret_file):
                    self.assertEqual(each.accepts(request("{}", {"X-Shopify-Hmac-Sha256": mac})), is_signed)
            with ThreadPoolExecutor(8) as at_once:
                secrets = [f"secret-{number}" for number in range(40)]
                list(at_once.map(lambda each: kind([b"a"], its.secret_file).keep_secret(each, True), secrets))
            self.assertEqual(len(other.given()), 42)


class Deliveries(unittest.TestCase):
    def webhooks(self, name, body, **headers):
        sent = request(body, {header.replace("_", "-"): value for header, value in headers.items()})
        its = provider(name)
        return [(text, *its.webhook(sent, json.loads(text, parse_int=str))) for text in its.events(sent)]

    def test_an_array_is_cut_into_its_elements(self):
        cut = {
            ("[]",): [],
            (" [ ] ",): [],
            ('[{"a":1.0}, {"b" : "]},{" }\n,[1,[2]],"é\\"",null ]',):
                ['{"a":1.0}', '{"b" : "]},{" }', "[1,[2]]", '"é\\""', "null"],
            ('{"a":[0],"events":[{"n":1E400}],"z":{"events":[1]}}', "events"): ['{"n":1E400}'],
            ('{"data":{"x":[],"events" : [ {} , {} ]},"events":7}', "data", "events"): ["{}", "{}"],
            ('{"events":[1],"events":[2]}', "events"): ["2"],  # the last one counts, as for json.loads
        }
        for arguments, texts in cut.items():
            self.assertEqual(elements(*arguments), texts)
        for arguments in (
                ("{}",), ("[1",), ("",), ("7",), ('{"a":1}', "events"), ('{"events":{}}', "events"), ("[]", "a")):
            with self.assertRaises((ValueError, LookupError)):
                elements(*arguments)

    def test_an_element_keeps_what_stands_beside_its_arrays(self):
        """So two equal elements of two realms are two events."""
        meta = '{"object":"page","entry":[{"id":"1","changes":[{"a":1.0}, {"a":[2]}],"time":7}, {"changes":[{}],"id":"2"}]}'
        self.assertEqual(providers.alone(meta, "entry[]", "changes[]"), [
            '{"object":"page","entry":[{"id":"1","changes":[{"a":1.0}],"time":7}]}',
            '{"object":"page","entry":[{"id":"1","changes":[{"a":[2]}],"time":7}]}',
            '{"object":"page","entry":[{"changes":[{}],"id":"2"}]}'])
        intuit = ' {"eventNotifications":[{"realmId":"%s","dataChangeEvent":{"entities":[{"id":"1"}]}}]} '
        self.assertEqual([providers.alone(intuit % realm, "eventNotifications[]", "dataChangeEvent", "entities[]")
                          for realm in "12"], [[intuit % "1"], [intuit % "2"]])
        self.assertEqual(providers.alone('{"a":[]}', "a[]"), [])
        for text in "", "[]", "7", "{}", '{"a":7}', '{"a":{}}', '{"a":[7]}', '{"a":[{"b":7}]}':
            with self.assertRaises((ValueError, LookupError)):
                providers.alone(text, "a[]", "b[]")
        many = '{"beside":"%s","a":[%s]}' % (50_000 * "x", ",".join(3_000 * ["{}"]))
        with self.assertRaisesRegex(ValueError, "its events would have more than"):
            providers.alone(many, "a[]")

    def test_a_query_is_an_object_of_its_fields_where_a_provider_delivers_by_get(self):
        sent = request("", method="GET", url=URL + "?msisdn=447700900001&text=%C3%A9+%26&to=")
        self.assertEqual(sent.text, '{"msisdn": "447700900001", "text": "é &", "to": ""}')
        self.assertEqual(request("", FORM, "GET", URL + "?a=1").text, '{"a": "1"}')

    def test_a_form_becomes_an_object_of_its_fields(self):
        objects = {
            b"a=1&b=&c&a=2&d=%C3%A9+%26&=x": '{"a": ["1", "2"], "b": "", "c": "", "d": "é &", "": "x"}',
            b"payload=%7B%22n%22%3A+1.0%7D": '{"n": 1.0}',
            b"payload=1&payload=2": '{"payload": ["1", "2"]}',
            b"payload=%7B%7D&a=1": '{"payload": "{}", "a": "1"}',
            b"a=%E9&b=\xc3\xa9": '{"a": "é", "b": "Ã©"}',  # no UTF-8: each byte is a character of ISO 8859-1
            b"": "{}",
        }
        for body, text in objects.items():
            self.assertEqual(request(body, FORM).text, text)
        for charset, body in ("iso-8859-1", b"a=%E9"), ('"Shift_JIS"', b"a=%83A"), (
                "punycode", b"a=%C3%A9"), ("utf_8_sig", b"a=%C3%A9"), ("", b"a=%C3%A9"):
            sent = request(body, {"Content-Type": f"application/x-www-form-urlencoded;a=b;\tcharset={charset};c"})
            self.assertEqual(sent.text, '{"a": "ア"}' if "Shift" in charset else '{"a": "é"}')

    def test_each_element_has_its_own_topic_and_key(self):
        hubspot = '{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,"objectId":%s,' \
                  '"subscriptionType":"contact.creation","attemptNumber":0}'
        self.assertEqual(self.webhooks("HubSpot", f"[{hubspot % 1},{hubspot % 2}]"), [
            (hubspot % 1, "contact.creation", "12345-1-1-1564113600000", None, None),
            (hubspot % 2, "contact.creation", "12345-1-2-1564113600000", None, None)])
        okta = '{"source":"https://acme.okta.com/api/v1/eventHooks/w","eventId":"e","data":{"events":[%s]}}'
        event = '{"uuid":"u","eventType":"user.session.start"}'
        self.assertEqual(self.webhooks("Okta", okta % event),
                         [(event, "user.session.start", "u", None, None)])
        xero = '{"resourceId":"r","eventCategory":"INVOICE","eventType":"UPDATE","eventDateUtc":"%s"}'
        texts, topics, keys, *_ = zip(*self.webhooks("Xero", '{"events":[%s,%s,%s]}' % (xero % 1, xero % 2, xero % 1)))
        self.assertEqual((set(topics), len(set(keys)), keys[0]), ({"INVOICE/UPDATE"}, 2, keys[2]))
        self.assertEqual(self.webhooks("Xero", '{"events":[],"entropy":"S0m3"}'), [])
        test = '{"type":"com.twilio.eventstreams.test-event","id":"AC1"}'
        self.assertEqual(self.webhooks("Twilio", f"[{test}]"), [])
        stream = '[{"specversion":"1.0","type":"com.twilio.messaging.message.sent","id":"EZ1"}]'
        self.assertEqual([each[1:3] for each in self.webhooks("Twilio", stream)],
                         [("com.twilio.messaging.message.sent", "EZ1")])

    def test_a_form_has_its_topic_in_its_fields(self):
        twilio = {"I_Twilio_Idempotency_Token": "t1", **FORM}
        for body, topic in ("MessageStatus=delivered&SmsStatus=delivered", "message/delivered"), (
                "CallStatus=completed", "call/completed"), ("SmsStatus=received&Body=a", "sms/received"), (
                "RecordingSid=RE1&RecordingStatus=completed", "recording/completed"), (
                "ConferenceSid=CF1&StatusCallbackEvent=participant-join", "event/participant-join"), (
                "ConversationSid=CH1&EventType=onMessageAdded", "event/onMessageAdded"), (
                "type=factor.verified&account_sid=AC1", "event/factor.verified"), ("Digits=1", "callback"):
            ((_, *webhook),) = self.webhooks("Twilio", body, **twilio)
            self.assertEqual(webhook[:2], [topic, "t1"])
        ((text, *webhook),) = self.webhooks("Slack", SLACK, **FORM)
        self.assertEqual(
            webhook[:2], ["command/webhook-collect", "398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"])
        ((text, *webhook),) = self.webhooks("Slack", "payload=%7B%22type%22%3A%22view_closed%22%7D", **FORM)
        self.assertEqual((text, webhook[0], len(webhook[1])), ('{"type":"view_closed"}', "interaction/view_closed", 64))
        ((_, *webhook),) = self.webhooks("Slack", '{"type":"app_rate_limited","minute_rate_limited":1518467820}')
        self.assertEqual(webhook[0], "app_rate_limited")
        ((_, _, key, *_),) = self.webhooks("Twilio", "RecordingStatus=completed", **FORM_HEADER)
        self.assertEqual(len(key), 64)

    def events(self, name, body, **headers):
        rows, refused = provider(name).rows(request(body, {each.replace("_", "-"): headers[each] for each in headers}))
        self.assertEqual(refused, [])
        return [(key, json.loads(event)) for key, event in rows]

    def test_an_event_has_its_owner_wherever_it_stands(self):
        github = {"X_GitHub_Event": "e", "X_GitHub_Delivery": "d"}
        gitlab = {"X_Gitlab_Event": "e", "Idempotency_Key": "k"}
        okta = '{"source":"https://acme.okta.com/api/v1","data":{"events":[{"uuid":"u","eventType":"e"}]}}'
        for name, headers, body, brand in (
            ("GitHub", github, '{"organization":{"login":"o"},"repository":{"full_name":"o/r"}}', "o"),
            ("GitHub", github, '{"repository":{"full_name":"u/r"},"installation":{"id":1}}', "u/r"),
            ("GitHub", github, '{"action":"added","installation":{"account":{"login":"o"}}}', "o"),
            ("GitHub", github, '{"marketplace_purchase":{"account":{"login":"o"}}}', "o"),
            ("GitHub", github, '{"sponsorship":{"sponsorable":{"login":"o"}}}', "o"),
            ("GitHub", github, '{"security_advisory":{}}', None),
            ("GitLab", gitlab, '{"project":{"path_with_namespace":"g/p"}}', "g/p"),
            ("GitLab", gitlab, '{"event_name":"user_add_to_group","group_path":"g"}', "g"),
            ("GitLab", gitlab, '{"event_name":"subgroup_create","path":"s","full_path":"g/s"}', "g/s"),
            ("GitLab", gitlab, '{"object_kind":"access_token","group":{"full_path":"g/s","group_path":"s"}}', "g/s"),
            ("GitLab", gitlab, '{"event_name":"project_create","path":"p","path_with_namespace":"g/p"}', "g/p"),
            ("GitLab", gitlab, '{"event_name":"user_add_to_team","project_path_with_namespace":"g/p"}', "g/p"),
            ("GitLab", gitlab, '{"event_name":"group_create","path":"g"}', "g"),
            ("GitLab", gitlab, '{"event_name":"key_create","username":"u"}', None),
            ("Twilio", FORM_HEADER, "type=factor.verified&account_sid=AC1", "AC1"),
            ("HubSpot", {}, '{"portal-id":62515,"vid":1}', "62515"),
            ("Okta", {}, okta, "acme.okta.com"),
            ("Zendesk", ZENDESK, '{"ticket":1}', "a1"),
        ):
            with self.subTest(name, body=body):
                ((_, event),) = self.events(name, body, **headers)
                self.assertEqual(event["payload"]["_meta"].get("brand_id"), brand)

    def test_what_a_trigger_or_a_workflow_sends_is_an_event(self):
        for body in '{"id":"7","type":"problem"}', "[1]":
            ((key, event),) = self.events("Zendesk", body, **ZENDESK)
            self.assertEqual((key, event["event_type"]), ("i1", "zendesk.trigger"))
        ((key, event),) = self.events("HubSpot", ' {"vid":1,"portal-id":2}')
        self.assertEqual((len(key), event["event_type"]), (64, "hubspot.workflow"))

    def test_a_delivery_of_which_an_event_is_refused_is_kept_whole_and_without_its_secrets(self):
        body = '[{"subscriptionId":1,"subscriptionType":"a.b"},7,{"subscriptionId":2}]'
        sent = request(body, {"X-A": "1", "X-Token": "has hush-hush in it", "Authorization": "x", "Cookie": "y",
                              "X-Shop": "acme.example.com", "X-Original-URL": "/webhooks?secret=%61cme", "X-Is": "acme"},
                       url=URL + "?a=hush%2Dhush&b=%26&c=acme&d=acme.example.com&e&hush-hush&f=s%C3%A9cret-long")
        rows, ((_, answer, event, kept, of),) = provider("HubSpot", "hush-hush", "acme", "sécret-long").rows(sent)
        self.assertEqual((len(rows), event, base64.b64decode(kept).decode()), (1, None, body))
        self.assertEqual((json.loads(answer)["events"], json.loads(of)), ("2 of 3", {
            "method": "POST", "url": URL + "?a=&b=%26&c=&d=acme.example.com&e&&f=",
            "headers": [["X-A", "1"], ["X-Shop", "acme.example.com"]]}))
        _, (of,) = provider("GitLab", "acme").rows(request(b"{", {"X-Gitlab-Token": "acme"}))
        self.assertEqual(json.loads(of[-1])["headers"], [])


class Strangers(unittest.TestCase):
    """Whatever comes, a class's errors stay inside: they become a refused body, or a signature that is wrong."""

    SHAPES = ["", "a", "é", "\ud800", "\x00", "-1", "9" * 400, "1e999", None, True, 0, -1, 1.5, 10**30, [], [[]], {},
              [{}], {"a": {}}, ["x"], {"type": {"a": 1}}, {"id": []}, 1700000000, "1700000000", "2023-11-14T22:13:20Z"]
    NAMES = sorted(set(re.findall(r'"([A-Za-z_][\w\[\]-]+)"', open(providers.__file__).read())))
    HEADERS = [each for each in NAMES if "-" in each] + ["Content-Type", "Content-Encoding"]
    TYPES = ["application/json", *(FORM["Content-Type"] + each for each in ("", "; charset=idna", "; charset*=a'b'c")),
             "a; charset=\x00", "", "multipart/form-data; boundary=a"]

    def value(self, depth=3):
        pick = self.random.random()
        if depth and pick < 0.4:
            names = [self.random.choice(self.NAMES) for _ in range(self.random.randrange(6))]
            return {name: self.value(depth - 1) for name in names}
        if depth and pick < 0.5:
            return [self.value(depth - 1) for _ in range(self.random.randrange(3))]
        return self.random.choice(self.SHAPES)

    def body(self):
        text = json.dumps(self.value()).encode()
        if self.random.random() < 0.3:
            names = [self.random.choice(self.NAMES) for _ in range(4)]
            text = "&".join(f"{name}={self.random.choice(['', '1', '%', '%FF', '+'])}" for name in names).encode()
        if self.random.random() < 0.2:
            place = self.random.randrange(len(text) + 1)
            text = text[:place] + self.random.choice([b"", b"\xff", b"\x00", b"[" * 5000, b'"']) + text[place:]
        return text

    def headers(self):
        names = [self.random.choice(self.HEADERS) for _ in range(self.random.randrange(8))]
        values = ["", "a", "\xe9", "v0=00", "sha256=00", "t=1,v1=00", "AAAA", "9" * 400, "1700000000", "hush", "\r\n a"]
        headers = {name: self.random.choice(values) for name in names}
        return {**headers, "Content-Type": self.random.choice(self.TYPES)}

    def test_a_class_that_returns_nonsense_loses_nothing(self):
        sevens = providers.Webhook(7, 7)
        for texts, webhook in ([7], None), (None, None), ([b"{"], None), (["{}"], None), (["{}"], sevens):
            kind = type("Broken", (providers.GitHub,), {"events": lambda *_: texts, "webhook": lambda *_: webhook})
            rows, ((_, answer, *_),) = kind().rows(request("{}"))
            self.assertEqual((rows, bool(json.loads(answer)["reason"])), ([], True))

    def test_no_class_lets_an_exception_out(self):
        self.random = random.Random(73)
        kinds = [kind for name, kind in vars(providers).items() if name in providers.FORMS]
        kept = refused = 0
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(providers.time, "time", lambda: float(NOW)):
            for number in range(1_500_000 if IS_NIGHTLY else 12_000):
                kind = kinds[number % len(kinds)]
                its = kind([b"hush"], os.path.join(folder, "secret"))
                sent = request(self.body(), self.headers(), self.random.choice(["POST", "GET"]),
                               URL + self.random.choice(["", "?secret=%", "?bodySHA256", "?a=b&&", "?\udcff"]))
                if not its.accepts(sent):
                    self.assertTrue(its.why(sent))
                rows, bodies = its.rows(sent)
                kept, refused = kept + len(rows), refused + len(bodies)
                for _, event in rows:
                    event.encode()
                    json.loads(event)["payload"]["_meta"]["source"]
                for each in bodies:
                    "".join(text for text in each if text).encode()
                    json.loads(each[1])["reason"]
        self.assertGreater(min(kept, refused), number / 50)


if __name__ == "__main__":
    unittest.main()
