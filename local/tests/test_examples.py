"""The connectors of examples/ take the exam."""
import importlib.util, json, os, shlex, sys, unittest
from email.message import Message
from concurrent.futures import ThreadPoolExecutor

from taking import IS_NIGHTLY, LOCAL, exam, failed, only, passed, take
from examiner.providers import WEBHOOKS, of_provider

EXAMPLES = os.path.join(os.path.dirname(LOCAL), "examples")
sys.path[:0] = [EXAMPLES, os.path.join(EXAMPLES, "tests")]
from running import PYTHON, java
import providers

HAS_BOTO3 = importlib.util.find_spec("boto3") is not None

# By day, connector.py takes all rows but those that take long or ask nearly the same as another one, and Connector.java
# takes what it does in its own way.
BY_NIGHT = (
    *("memory", "many", "unsigned-bodies", "hostile-headers", "long-outage", "two-processes", "full-disk", "large"),
    *("slow-sockets", "flood", "expired", "reverse", "cut-connection"),
)
BRIEF = (
    *("refused", "bytes-as-they-came", "own-meta", "topics", "ids", "no-json", "lost-answer", "elsewhere", "slow"),
    *("forged", "logins", "refreshed", "kill", "canary"),
)


class Ours(unittest.TestCase):
    """The connectors of examples/. At night they take the whole exam, and connector.py that of each provider."""

    def test_our_connectors_pass(self):
        exams = [(self.python, name) for name in (WEBHOOKS if IS_NIGHTLY else ("shopify",))]
        exams += [(self.java, "shopify"), *[(self.function, "github")] * (HAS_BOTO3 and IS_NIGHTLY)]  # else its own tests
        with ThreadPoolExecutor(4) as taking:
            for (take_it, provider), rows in zip(exams, taking.map(lambda each: each[0](each[1]), exams)):
                with self.subTest(take_it.__name__, provider=provider):
                    self.assertEqual(failed(rows), [])
                    self.assertGreater(len(passed(rows)), 12 if take_it == self.java and not IS_NIGHTLY else 25, rows)

    def python(self, provider):
        settings = "OUTBOX=FOLDER/outbox PAUSE=0.05 PARKED=1 PROVIDER=" + provider
        kept = f"{sys.executable} -B {EXAMPLES}/outbox.py FOLDER/outbox refused"
        rows = [each.name for each in exam.CASES if each.name not in BY_NIGHT]
        return self.take(settings, PYTHON, rows, "--kept", kept, "--provider", provider)

    def java(self, provider):
        return self.take("JAVA_TOOL_OPTIONS=-Xmx200m", java(), BRIEF, "--keeps-nothing", "--provider", provider)

    @unittest.skipIf(not HAS_BOTO3, "there is no boto3")
    def test_a_function_needs_boto3(self):
        """So that its absence is said."""

    def function(self, provider):
        settings, emulator = "QUEUES=FOLDER/queues ", os.path.join(LOCAL, "function")
        kept = f"{settings}{sys.executable} -B {emulator} refused"
        return self.take(f"{settings}PROVIDER={provider}", [sys.executable, "-B", emulator], (), "--kept", kept,
                         "--provider", provider, "--most", "6291556", "--flood", "200")

    @staticmethod
    def take(settings, command, by_day, *words):
        brief = [] if IS_NIGHTLY else ["--kills", "2", *only(by_day)]
        return take(f"{settings} exec {shlex.join(command)}", *words, "--waits", "5", *brief)

    def test_the_exam_has_a_webhook_of_each_provider(self):
        self.assertEqual(set(WEBHOOKS), {each.__name__.lower() for each in providers.Provider.__subclasses__()})

    def test_each_providers_webhook_is_one_event_under_its_id_and_of_its_owner(self):
        for name in WEBHOOKS:
            with self.subTest(name):
                template = of_provider(name)
                secret = "whsec_aHVzaA==" if template.sign.is_encoded else "hush"
                its = providers.kind_of(name)([secret.encode()])
                webhook = template.webhook("exam-1-a-1", 7000, topic="a/topic", brand="b.example.com")
                self.assertFalse(its.accepts(self.request(webhook, "another")))
                sent = self.request(webhook, secret)
                self.assertTrue(its.accepts(sent))
                ((key, event),), refused = its.rows(sent)
                brands = {"hubspot": "62515", "standardwebhooks": None}  # a number; each sender has another place
                brand = brands.get(name, "b.example.com")
                self.assertEqual((refused, json.loads(event)["payload"]["_meta"].get("brand_id")), ([], brand))
                self.assertIsNone(webhook.differs(event.partition('"payload":')[2][:-1]))
                if "topic" in template.can:
                    self.assertEqual(json.loads(event)["event_type"], name + ".a/topic")
                if not template.text_is_key:
                    self.assertTrue(webhook.values["id"] in key or "-7000-" in key, key)

    @staticmethod
    def request(webhook, secret):
        url, headers = "https://hooks.example.com/webhooks", Message()
        for header, value in webhook.headers(secret, url):
            headers[header] = value.decode("latin-1")
        return providers.Request("POST", url, headers, webhook.body)


if __name__ == "__main__":
    unittest.main()
