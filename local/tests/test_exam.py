"""Tests of local/exam: how it judges, that a seed asks the same, and that it finds each mistake of flawed.py."""
import hmac, http.client, json, os, re, subprocess, sys, tempfile, time, types, unittest, xml.etree.ElementTree

from taking import EXAM, IS_NIGHTLY, LOCAL, EachMistake, exam, failed, passed, take
from examiner import gateway, judge, report
from examiner.connector import Delivery
from operators.command import Failure
from examiner.providers import of_file, of_provider

FLAWED = os.path.join(LOCAL, "tests", "flawed.py")

# Each mistake of flawed.py: the row that finds it, and what the exam says.
MISTAKES = {
    "answers first": ("kill", "events are lost"),
    "drops 422": ("elsewhere", "after the answer 422 <p>unprocessable: 1 of 1 events are lost"),
    "hash as key": ("same-text", "the key is not the delivery's id, but made of its text"),
    "no key": ("twice", "the event is doubled"),
    "logs in each time": ("logins", "times for 12 events"),
    "retries 410": ("erased", "the provider got 503, so it delivers it again and again"),
    "re-serialises": ("bytes-as-they-came", "the payload was changed: sent …"),
    "keeps bodies": ("memory", "of memory, which stay taken"),
    "keeps requests": ("many", "20,000 small events took"),
    "no time-out": ("slow", "s for an answer, and got none"),
    "drops 429": ("throttled", "events are lost: the provider got 200"),
    "any 2xx": ("elsewhere", "after the answer 200 <p>maintenance: 1 of 1 events are lost"),
    "follows redirects": ("elsewhere", "it follows redirects: another host would get the token"),
    "waits a day": ("a-day", "s for an answer, and got none"),
    "no signature": ("forged", "a webhook with a wrong signature got 200, not 401"),
    "takes old ones": ("old", "signed ten minutes ago got 200, not 401"),
    "logs answers": ("canary", "the log has the token"),
    "logs payloads": ("canary", "the log has a payload"),
    "logs logins": ("canary", "the log has the password"),
    "believes batches": ("batch-results", "events are lost: the provider got 200"),
    "exact headers": ("accepts", "in lower case, as HTTP/2 has them, a webhook got 401"),
    "two metas": ("own-meta", "events are lost: the provider got 200"),
    "400 for no JSON": ("no-json", "the provider got 400, so it delivers it again and again"),
    "400 for no id": ("no-id", "the provider got 400, so it delivers it again and again"),
    "keeps nothing": ("refused", "--kept does not print all of it: it is lost"),
    "never refreshes": ("refreshed", "it asked for no new token before the old one ended"),
    "never logs in again": ("revoked", "its answer to a good webhook is still 503"),
    "login storm": ("password", "times with a wrong password: ten keep the address out"),
    "one at a time": ("slow-sockets", "s for an answer, and got none"),
    "parses headers": ("hostile-headers", "unsigned webhooks with a Content-Type of 60 KB took it"),
    "reads first": ("unsigned-bodies", "4 unsigned bodies of 20 MB took"),
    "takes a time for a signature": ("forged", "whose signature is empty got 200, not 401"),
    "keeps 300 bytes": ("refused", "--kept does not print all of it: it is lost"),
    "one event type": ("topics", "has the event type exam.orders/create, not ….orders/cr%C3%AAate"),
    "one secret": ("two-secrets", "signed with WEBHOOK_SECRET_2 got 401"),
    "gives up": ("long-outage", "events are lost: the provider got 200"),
    "no back-off": ("long-outage", "times in 5 s"),
    "ignores the disk": ("full-disk", "events are lost: the provider got 200"),
    "cuts keys": ("ids", "events are lost: the provider got 200"),
    "drops 403": ("scope", "events are lost: the provider got 200"),
    "remembers too early": ("down", "events are lost: the provider got 200, 503"),
    "400 in an outage": ("down", "the provider got 400, as if its webhook was wrong"),
    "newest only": ("reverse", "events are not stored: the provider got 200"),
    "no brand": ("brand", "_meta.brand_id is None"),
    "raw topics": ("topics", "events are lost: the provider got 200"),
}
BY_DAY = "hash as key", "re-serialises", "no signature"


class Mistakes(EachMistake, unittest.TestCase):
    MISTAKES, BY_DAY = MISTAKES, BY_DAY

    def test_a_connector_without_a_mistake_passes(self):
        rows = self.rows("", "--patience", "20", "--waits", "5") if IS_NIGHTLY else []  # by day, our own ones do
        self.assertEqual(failed(rows), [])
        self.assertGreaterEqual(len(passed(rows)), 35 * IS_NIGHTLY)

    @staticmethod
    def rows(mistake, *words):
        command = f"MISTAKES='{mistake}' REFUSED=FOLDER/refused exec {sys.executable} -B {FLAWED}"
        return take(command, "--kept", "cat FOLDER/refused", "--webhook", FLAWED.replace(".py", ".http"),
                    "--signed", "{{seconds}}.{{body}}", "--kills", "3", "--flood", "100", *words)


class Judging(unittest.TestCase):
    def test_a_payload_is_compared_without_its_meta_byte_for_byte(self):
        webhook = of_provider("shopify").webhook("exam-1-a-1", 7, '"n":1.0 ')
        sent, meta = webhook.body.decode()[:-1], ',"_meta":{"source":"a","n":"}"}}'
        self.assertIsNone(webhook.differs(sent + meta))
        self.assertIsNone(webhook.differs('{"payload":' + sent + '},"_meta":{"wrapped":"payload"}}'))
        self.assertIn("1.0", webhook.differs(sent.replace("1.0", "1") + meta))
        self.assertIn("no readable _meta", webhook.differs(sent + "}"))
        form = of_provider("twilio").webhook("exam-1-a-1", 7, '"text":"<&> é"')
        fields = json.dumps({"AccountSid": "AC1", "MessageSid": "SM1", "MessageStatus": "delivered",
                             "exam": "exam-1-a-1", "text": "<&> é", "_meta": {}})
        self.assertIsNone(form.differs(fields))
        self.assertIn("the fields", form.differs(fields.replace("<&>", "<")))

    def test_a_file_has_its_signature_among_its_headers_or_is_the_body_alone(self):
        template = of_file("X-Id: {{id}}\nX-Sign: v1={{hex}}\n\n{\"a\":1}\n", signed="{{seconds}}:{{body}}")
        webhook = template.webhook("exam-1-a-1", 7)
        self.assertEqual(webhook.body, b'{"exam":"exam-1-a-1","a":1}')
        (_, mac), = (each for each in webhook.headers("s", "", 5) if each[0] == "X-Sign")
        self.assertEqual(mac.decode(), "v1=" + hmac.new(b"s", b"5:" + webhook.body, "sha256").hexdigest())
        self.assertLessEqual({"id", "id of the delivery", "mac", "time"}, template.can)
        self.assertEqual(of_file('{"id":"{{id}}"}').can - {"JSON", "whole", "untimed"},
                         {"id", "id to leave out", "any id", "other text"})
        self.assertEqual(of_file('{"a":[{"id":"{{id}}","b":1}]}').without("id").body, '{{{more}},"a":[{"b":1}]}')

    def test_a_seed_asks_the_same_whether_a_row_is_asked_alone_or_not(self):
        asked = (1, ["bytes-as-they-came", "ids"]), (1, ["ids"]), (2, ["ids"])
        sent = [self.sent(seed, rows) for seed, rows in asked]
        self.assertEqual(sent[0][-7:], sent[1])
        self.assertNotEqual(sent[1], sent[2])

    def sent(self, seed, rows):
        course, sent = self.course(seed=seed), []
        course.take = lambda webhooks: sent.extend((each.body, each.values["id"]) for each in webhooks)
        for case in exam.CASES:
            if case.name in rows:
                course.begin(case.name)
                case.ask(course)
        return sent

    def test_no_row_fails_while_the_machine_has_no_time(self):
        for is_well, verdict in (True, judge.Failed), (False, judge.Open):
            course = self.course(is_well)
            course.deliver = lambda webhook: Delivery(200, 0)
            with self.assertRaises(verdict):
                course.wait_for([course.webhook()])

    @staticmethod
    def course(is_well=False, seed=1):
        class Clock:
            seconds = property(lambda self: time.monotonic() if is_well else 0.0)

        none = types.SimpleNamespace(look=lambda: None, count=lambda mark: 0, events={}, of=lambda *_: [],
                                     has_ended=False, settled=lambda: 0)
        options = types.SimpleNamespace(seed=seed, patience=0.1, longest=60)
        return judge.Course(of_provider("shopify"), none, none, none, Clock(), ("secret", "other"), options)

    def test_each_row_is_of_a_section_of_the_page(self):
        with open(os.path.join(LOCAL, "../docs/connectors.md"), encoding="utf-8") as page:
            headings = re.findall(r"^#+ (.*)$", page.read(), re.MULTILINE)
        sections = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}
        self.assertLessEqual({case.section for case in exam.CASES}, sections)

    def test_a_connector_may_wait_as_long_as_the_page_says(self):
        with open(os.path.join(LOCAL, "../docs/connectors.md"), encoding="utf-8") as page:
            self.assertIn(f"Wait {judge.LONGEST_PAUSE} of them at most", page.read())

    def test_what_the_exam_cannot_sign_is_refused_by_name(self):
        with self.assertRaisesRegex(ValueError, "{{hex}} stands in the body: the exam signs in headers only"):
            of_file('{"signature":"{{hex}}","id":"{{id}}"}')

    def test_the_gateway_is_for_this_machine_and_the_api_alone(self):
        opened = gateway.Gateway(9)
        self.addCleanup(opened.close)
        for host, path, status in ("127.0.0.1", "/api/auth/me", 503), ("evil.example", "/api/auth/me", 404), (
                "127.0.0.1", "/_inspector", 404):
            connection = http.client.HTTPConnection("127.0.0.1", opened.port)
            connection.request("GET", path, headers={"Host": host})
            self.assertEqual(connection.getresponse().status, status)
            connection.close()
        with self.assertRaisesRegex(Failure, f"the gateway cannot listen on port {opened.port}: "):
            gateway.Gateway(9, opened.port)

    def test_a_result_is_counted_and_written_for_other_programs(self):
        rows = [report.Result(name, "a <title>", verdict, "why & how", ["POST /"], "retry", 1.0)
                for name, verdict in (("a", "passed"), ("b", "FAILED"), ("c", "open"), ("d", "not asked"))]
        self.assertEqual(report.mark_of(rows), "1 of 2 rows passed (50 %); 1 open, 1 not asked")
        codes = [report.exit_code(each) for each in (rows, rows[::2], rows[::3], rows[3:])]
        self.assertEqual((codes, report.exit_code(rows[::3], is_strict=True)), ([3, 4, 0, 4], 3))
        with tempfile.NamedTemporaryFile() as file:
            report.write_junit(file.name, rows)
            suite = xml.etree.ElementTree.parse(file.name).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("4", "1", "2"))
        self.assertEqual(suite.find(".//failure").get("message"), "why & how")

    def test_wrong_use_is_refused_with_a_sentence(self):
        for words, sentence in {
            ("--only", "nothing"): "there is no row nothing; --rows prints them",
            ("--provider", "nobody"): "--provider is one of github, ",
            ("--signed", "a"): "--signed and --digest need --webhook",
            ("--stack", "a"): "unknown option --stack",
        }.items():
            ran = subprocess.run([sys.executable, "-B", EXAM, *words], capture_output=True, text=True)
            self.assertEqual((ran.returncode, ran.stderr.startswith("local/exam: " + sentence)), (2, True), ran.stderr)


if __name__ == "__main__":
    unittest.main()
