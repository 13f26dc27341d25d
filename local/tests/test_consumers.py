"""Tests of local/exam --consumer: that it finds each mistake of flawed_consumer.py, and that our own programs pass."""
import json, os, re, subprocess, sys, tempfile, time, types, unittest

from taking import EXAM, IS_NIGHTLY, LOCAL, EachMistake, failed, only, passed, take_consumer
from examiner import judge
from examiner.consumers import Reading
from examiner.feed import PlayedFeed, share_of

ROOT = os.path.dirname(LOCAL)
FLAWED = f"{sys.executable} -B {LOCAL}/tests/flawed_consumer.py FOLDER/{{name}}.db"

# Each mistake of flawed_consumer.py: the row that finds it, and what the exam says.
MISTAKES = {
    "place first": ("kill", "it does not have the event"),
    "place right before": ("kill", "the event"),
    "keeps erased": ("erased", "which was erased"),
    "erasure as event": ("erased-unread", "which is no event of this feed"),
    "id alone": ("freed-id", "it does not have the event"),
    "counts again": ("restored", " 2 times"),
    "stops at empty": ("empty-pages", "it has not come to the end of the feed"),
    "no payload_at": ("large", "it has no state of exam:Thing:large-2"),
    "asks for all": ("large", "for an event by its id, whose page had its payload"),
    "reads payloads once": ("large-again", "it does not have the event"),
    "erases the newest": ("erased-freed-id", "which was erased"),
    "gone is an error": ("gone", "the consumer has ended with 1"),
    "freed payload": ("freed-payload", "of which no event is left that it has read"),
    "erasures first": ("erased-at-once", "which was erased"),
    "skips cut pages": ("cut-page", "it does not have the event"),
    "ignores Retry-After": ("throttled", "after a 429 with Retry-After: 1"),
    "no back-off": ("unavailable", "times in an outage"),
    "no new login": ("token-ends", "the consumer has ended with 1"),
    "retries all": ("refused", "for what it was refused"),
    "begins anew": ("another-feed", "after a 422, it does not have the event"),
    "rounds numbers": ("numbers", "does not have the number"),
    "half pairs": ("half-pairs", "the consumer has ended with 1; it is started again"),
    "shallow": ("depth", "the consumer has ended with 1"),
    "other types": ("other-types", "the consumer has ended with 1"),
    "things of all brands": ("late-states", "it has no state of exam:Thing:late-states-d"),
    "things in any case": ("late-states", "it has no state of exam:Thing:late-states-c"),
    "order of a language": ("late-states", "has the version B, no deletion. The latest is a, no deletion"),
    "latest by created_at": ("late-states", "has the version 2, no deletion. The latest is 3, no deletion"),
    "no deletions": ("deletions", "has the version 2, no deletion. The latest is 3, a deletion"),
    "first of a tie": ("ties", "is not that of exam-7-ties-2"),
    "any process": ("two-processes", "which was erased"),
    "no share": ("shares", "it has not come to the end of the share 1/2"),
    "keeps the other half": ("shares", "which is no event of this share"),
    "no pause": ("idle", "for what is new"),
    "logs the token": ("canary", "the log has the token"),
}
BY_DAY = "place first", "no deletions"
BRIEF = "restored", "erased-at-once", "gone", "numbers", "half-pairs", "depth", "deletions"  # by day


with open(f"{ROOT}/docs/reading-events.md", encoding="utf-8") as page:
    PAGE = page.read()


class Mistakes(EachMistake, unittest.TestCase):
    MISTAKES, BY_DAY, AT_ONCE, BESIDE = MISTAKES, BY_DAY, 2, {"canary": ["token-ends"]}

    @unittest.skipUnless(IS_NIGHTLY, "by day, our own ones do")
    def test_a_consumer_without_a_mistake_passes(self):
        rows = self.rows("")
        self.assertEqual((failed(rows), len(passed(rows))), ([], len(rows)))

    @unittest.skipUnless(IS_NIGHTLY, "one mistake at a time by day")
    def test_all_mistakes_at_once_hide_none_of_those_that_it_can_live_with(self):
        many = "place first,keeps erased,counts again,shallow,no pause,rounds numbers,half pairs,any process"
        rows = {each["name"] for each in failed(self.rows(many))}
        self.assertLessEqual({MISTAKES[each][0] for each in many.split(",")}, rows)

    @staticmethod
    def rows(mistakes, *words):
        kills = "20" if mistakes in ("", "place right before") else "3"
        copy = 'test -e FOLDER/{name}.db || sqlite3 FOLDER/1of1.db ".backup FOLDER/{name}.db"'
        command = f"{copy}; MISTAKES='{mistakes}' exec {FLAWED} {{share}}"
        return take_consumer(command, FLAWED + " has", "--kills", kills, *words)


class Ours(unittest.TestCase):
    """consumer.py, with what the page says of the exam."""

    COPY, CONSUMER, HAS = re.search(
        r"COPY='(.*?)'\n +local/exam --consumer \"\$COPY(.*?)\" \\\n +--has '(.*?)'", PAGE).groups()
    QUERY = re.search("has.sql <<'END'\n(.*?) END\n", PAGE, re.DOTALL)[1]

    def test_the_example_passes(self):
        consumer = self.COPY + self.CONSUMER.replace("python3 ", f"exec {sys.executable} -B {ROOT}/")
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
            file.write(self.QUERY)
            file.flush()
            commands = (f"cd FOLDER; {each}" for each in (consumer, self.HAS.replace("has.sql", file.name)))
            rows = take_consumer(*commands, *([] if IS_NIGHTLY else only(BRIEF)))
        self.assertEqual([each for each in rows if each["verdict"] != "passed"], [])


class Playing(unittest.TestCase):
    def setUp(self):
        self.feed = PlayedFeed(0, "a@example.com", "password", "token")
        options = types.SimpleNamespace(seed=1, patience=0.1, longest=60, event_type="a.b", consumer="sleep 9", kills=0)
        self.clock = types.SimpleNamespace(seconds=0.0)
        self.course = Reading(self.feed, {}, {}, self.clock, options)
        self.course.begin("row")

    def tearDown(self):
        self.feed.close()

    def page(self, query):
        answer = self.feed.forward("GET", "/api/webhook-events?" + query, {"Authorization": "Bearer token"}, b"")
        return answer.status, json.loads(answer.body)

    def test_it_plays_the_feed_as_the_api_says(self):
        self.assertEqual(self.page("order=asc")[1]["next"], "0")
        one, two, large = (self.course.event(is_large=each == 2) for each in range(3))
        self.course.publish(one, two, large, one)
        self.course.erase(two)
        status, page = self.page("order=asc&include=payload,erasures&cursor=0")
        self.assertEqual((status, [(each["position"], each["id"]) for each in page["events"]]),
                         (200, [(3, large.id), (4, one.id), (5, two.id)]))
        self.assertEqual([sorted({"payload", "payload_at", "erased_at"} & set(each)) for each in page["events"]],
                         [["payload_at"], ["payload"], ["erased_at"]])
        page = self.page(f"order=asc&cursor={page['next'][:-1]}3&until={page['next'][:-1]}4")[1]
        self.assertEqual(([each["position"] for each in page["events"]], page["more"], page["head"]), ([4], False, 5))
        for query in ("order=asc&cursor=77777777-1", f"order=asc&cursor={self.feed.name}-6", "order=asc&limit=0",
                      "order=asc&other=1", "order=asc&limit=", "limit=1"):
            self.assertEqual(self.page(query)[0], 422, query)
        shares = [self.page(f"order=asc&share={part}/2")[1]["events"] for part in (1, 2)]
        self.assertEqual([len(each) for each in shares], [2 * (share_of(one, 2) == part) for part in (1, 2)])
        by_id = [self.feed.by_id(each, "").status for each in (one.id, two.id, "0")]
        self.assertEqual(by_id, [200, 410, 404])

    def test_no_row_fails_while_the_machine_has_no_time(self):
        self.course.consumer.process = types.SimpleNamespace(poll=lambda: None)
        for seconds, verdict in (lambda: 0.0, judge.Open), (time.monotonic, judge.Failed):
            self.course.pulse = type("Clock", (), {"seconds": property(lambda _: seconds())})()
            with self.assertRaises(verdict):
                self.course.come()

    def test_wrong_use_is_refused_with_a_sentence(self):
        for words, sentence in {
            ("--consumer", "a"): "--consumer and --has need each other",
            ("--consumer", "a", "--has", "b", "--url", "c"): "--consumer excludes what connectors have",
        }.items():
            ran = subprocess.run([sys.executable, "-B", EXAM, *words], capture_output=True, text=True)
            self.assertEqual((ran.returncode, ran.stderr.startswith("local/exam: " + sentence)), (2, True), ran.stderr)


if __name__ == "__main__":
    unittest.main()
