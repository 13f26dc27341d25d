"""Tests operate/erase: what it finds, asks, erases and prints, and its exit codes."""
import re, shlex, subprocess, time, unittest, uuid
from datetime import datetime, timedelta, timezone
from unittest.mock import patch

from erasing import ErasingTest, erase, of_brand, proof, read, store
from operators import search
from operators.command import Failure, moment
from running import LOCAL, PORT, answering, aws_cli, run, run_on_terminal

PAYLOAD = {
    **{"n": 5, "t": "5", "price": 398.0, "s": "a b", "p": " a ", "e": "", "q": '5" b', "quoted": '"5"'},
    **{"b": True, "z": None, "l": [{"e": "Zoë"}]},
}
NOTHING = "No event matches. Nothing is erased.\n"
UNTIL = "2026-11-20T12:00:00.000Z"
OF_USER = ("--user", "u", "--from", "2026-11-20T10:00:00Z", "--to", "2026-11-20T11:00:00Z")
TO_NOW = (*OF_USER[:-1], "2099-01-01T00:00:00Z")
PROOF = {"erasure_id": "e", "begun": "b", "count": 1, "ended": "t"}
ERASED = [{"erasure_id": "e", "erased": 0, "next": "e"}, {"erasure_id": "e", "erased": 1, "proof": PROOF}]


def on_terminal(typed, *words):
    """As `run_on_terminal`, but without what clears the line of progress."""
    code, output = run_on_terminal(typed, "erase", *words)
    return code, output.replace("\r\x1b[K", "\n")


def minutes_ago(minutes):
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat()


class EraseTest(ErasingTest):
    def test_the_proof_has_the_count_and_the_digest_of_the_ids(self):
        ids = store(3)

        result = erase("--yes", "--reason", "request 17", "--ids", *ids)

        self.assert_erased(ids, result)
        self.assertTrue(" has begun.\n3 events erased. The proof:\n\n  erasure id     " in result[1], result[1])
        self.assertEqual(proof(result[1])["reason"], "request 17")

    def test_an_erasure_that_is_made_again_with_to_leaves_what_came_after(self):
        [first], [second] = store(1, PAYLOAD), store(1, PAYLOAD)
        after = read(second).json["created_at"]

        result = erase("--yes", "--to", after, "--ids", first, second)

        self.assert_erased([first], result)
        self.assertEqual(proof(result[1])["to"], after)

    def test_an_erasure_is_shown_and_listed(self):
        _, output = erase("--yes", "--reason", "to show", "--ids", *store())
        made = proof(output)

        shown = erase("--show", made["erasure id"])
        code, listed = erase("--list")

        proof_and_readers = output.partition("\n\n")[2] + "\nHeard, "
        self.assertEqual((shown[0], shown[1][: len(proof_and_readers)]), (0, proof_and_readers))
        self.assertEqual(code, 0, listed)
        columns, *rows = (re.split(" {2,}", line) for line in listed.splitlines())
        self.assertEqual(columns, ["erasure id", "begun", "ended", "count", "selector", "narrowed", "reason"])
        [row] = (row for row in rows if row[0] == made["erasure id"])
        self.assertEqual(row[1:], [made["begun"], made["ended"], "1", "ids", "no", "to show"])
        self.assertEqual(rows, sorted(rows, key=lambda row: moment(row[1])))

    def test_the_erasures_of_a_brand_are_found_by_its_hash(self):
        brands = [f"Zoë {uuid.uuid4()}" for _ in range(2)]
        begun = [LOCAL.invoke("EraseEventsFunction", {"brand_id": brand})["erasure_id"] for brand in brands]
        LOCAL.invoke("EraseEventsFunction", {"ids": store()})

        _, listed = erase("--list", "--brand", brands[0])

        self.assertEqual([row.split()[0] for row in listed.splitlines()], ["erasure", begun[0]])

    def test_an_erasure_that_has_not_ended_says_so(self):
        erasure_id = LOCAL.invoke("EraseEventsFunction", {"ids": store()})["erasure_id"]

        self.assertRegex(erase("--list")[1], rf"\n{erasure_id}  \S+ +not ended ")
        shown = erase("--show", erasure_id)[1]
        self.assertEqual(proof(shown)["ended"], "not ended")
        self.assertIn(f"--continue {erasure_id}, and operate/erase ", shown)

    def test_on_a_terminal_it_shows_what_it_found_and_asks(self):
        for typed, erased in (("y", True), ("yes", True), ("n", False), ("", False)):
            with self.subTest(typed):
                [id] = store()

                code, output = run_on_terminal(typed, "erase", "--port", PORT, "--ids", id)

                for expected in ("1 event found, such as", id, "410", "Erase 1 event? [y/N] "):
                    self.assertIn(expected, output)
                self.assertEqual(code, 0 if erased else 1, output)
                self.assertEqual(read(id).status, 410 if erased else 200)
                self.assertEqual("1 event erased. The proof:" in output, erased, output)
                self.assertEqual("operate/erase: nothing is erased\n" in output, not erased, output)

    def test_before_it_asks_it_says_that_it_is_final_and_until_when_a_copy_can_be_restored(self):
        [id] = store()
        until = datetime.now(timezone.utc) + timedelta(days=35)

        with aws_cli():
            _, of_stack = run_on_terminal("n", "erase", "--stack", "prod", "--ids", id)
        _, local = run_on_terminal("n", "erase", "--port", PORT, "--ids", id)

        self.assertRegex(of_stack, rf"An erasure is final[^?]* restored until {until:%Y-%m-%d}T\d\d:\d\dZ: [^?]*Erase 1 ")
        self.assertIn("An erasure is final: nothing undoes it. local/serve has no backups.", local.partition("?")[0])

    def test_if_nothing_matches_it_says_so_and_does_not_ask(self):
        for options, expected in (((), 3), (("--allow-none",), 0)):
            with self.subTest(options):
                nothing = ("--where", "/n=6", *options, "--ids", *store())

                for code, output in (
                    run_on_terminal("", "erase", "--port", PORT, *nothing),
                    erase("--dry-run", *nothing),
                ):
                    self.assertIn(NOTHING, output)
                    self.assertNotIn("?", output)
                    self.assertEqual(code, expected)
                code, output = erase("--yes", *nothing)
                self.assertIn("0 events erased. The proof:", output)
                self.assertIn("No event matched", output)
                self.assertEqual(code, expected)

    def test_a_dry_run_says_what_would_have_matched_and_what_could_not_be_judged(self):
        hints = [f'an event has it as a number: {{"pointer":"/a","equals":{number}}}' for number in (1, 1, 2, 3, 4)]
        found = {"ids": [], "hints": hints}
        none = NOTHING + "".join(f"  Hint: an event has it as a number: --where /a={number}\n" for number in (1, 2, 3))
        unjudged = "1 event could not be judged. Look at each, and erase it by --ids if it must go:\n  one\n\n"
        answering(self, found, {**found, "not_judged": ["one"]})

        self.assertEqual(erase("--dry-run", "--ids", "x"), (3, none))
        self.assertEqual(erase("--dry-run", "--allow-none", "--ids", "x"), (4, none + unjudged))

    def test_an_erasure_says_whether_it_was_narrowed_and_fails_if_it_is_not_complete(self):
        for members, expected, name, printed in (
            ({"count": 1, "narrowed": True}, 0, "narrowed", "yes"),
            ({"count": 1, "narrowed": False}, 0, "narrowed", "no"),
            ({"count": 1, "narrowed": False, "not_judged": ["a", "b"]}, 4, "not judged", "a, b"),
            ({"count": 0, "narrowed": False, "not_judged": ["a"]}, 4, "not judged", "a"),
        ):
            with self.subTest(members):
                last = {"erasure_id": "e", "erased": 0}
                answering(self, {**last, "next": "n"}, {**last, "proof": {**last, "ended": "t", **members}})

                code, output = erase("--yes", "--ids", "x")

                self.assertEqual(proof(output)[name], printed)
                self.assertEqual(code, expected, output)

    def test_a_dry_run_prints_the_ids_alone_and_erases_nothing(self):
        brand = str(uuid.uuid4())
        ids = store(3, of_brand(brand))

        dry = subprocess.run(
            ["./erase", "--port", PORT, "--dry-run", "--brand", brand], capture_output=True, encoding="utf-8"
        )

        self.assertEqual(dry.returncode, 0, dry.stderr)
        self.assertCountEqual(dry.stdout.splitlines(), ids)
        found, hint, _ = dry.stderr.splitlines()
        self.assertEqual(found, "3 events found. Nothing is erased.")
        self.assertRegex(hint, r"since they have no brand: \d+ events? of the same providers\.")
        self.assertEqual(read(ids[0]).status, 200)

    def test_beside_a_brand_it_says_how_many_events_of_its_providers_have_none(self):
        brand, provider = str(uuid.uuid4()), f"p-{uuid.uuid4()}"
        store(2, {"_meta": {"brand_id": brand}}, f"{provider}.a")
        without = store(2, event_type=f"{provider}.b")
        for left in "2 events", "1 event":
            code, output = erase("--yes", "--allow-none", "--brand", brand)
            rest = rf"\nNot among them, since they have no brand: {left} of the same providers\. (The feed holds|Nobody knows) .*\n"
            self.assertRegex(output, rest)
            self.assertEqual(code, 0)
            erase("--yes", "--ids", without.pop())

    def test_beside_a_brand_it_counts_no_further_than_is_useful_and_fails_for_no_count(self):
        found, many = {"ids": ["x"]}, {"ids": [*map(str, range(10_001))], "next": "n"}
        for answer, expected in (
            (many, ": More than 10,000 events of the same providers. Nobody knows yet what the feed holds.\n"),
            ({**many, "whole_until": UNTIL}, f" providers. The feed holds all that was stored before {UNTIL}, "),
            (Failure("no right"), "Events without a brand are not among them, and could not be counted: no right\n"),
        ):
            with self.subTest(expected):
                answering(self, found, answer)
                code, output = erase("--dry-run", "--brand", "b")
                self.assertIn(expected, output)
                self.assertEqual(code, 0)

    def test_a_value_is_a_json_scalar_or_a_text_and_any_of_several_suffices(self):
        [id] = store(1, PAYLOAD)
        for condition in (
            *(["/n=5"], ["/n=5.0"], ["/t=5"], ['/t="5"'], ["/price=398"], ["/b=true"], ["/z=null"], ["/l/*/e=Zoë"]),
            *(["/s=a b"], ['/s="a b"'], ['/p=" a "'], ['/e=""'], ['/q=5" b'], ['/q="5\\" b"']),
            ["/n=6", "--where", "/n=5"],
            *(["/n=6", "--where-ignoring-case", "/l/*/e=ZOË"], ["/n=6", "--where-ignoring-case", '/s="A B"']),
        ):
            with self.subTest(condition):
                self.assertTrue(erase("--dry-run", "--ids", id, "--where", *condition)[1].startswith(f"{id}\n"))

    def test_another_value_is_not_found_and_the_condition_that_would_be_is_a_hint(self):
        [id] = store(1, PAYLOAD)
        for condition, hint in (
            ('/n="5"', "--where /n=5"),
            ("/l/*/e=ZOË", "--where-ignoring-case '/l/*/e=ZOË'"),
            ('/p="a "', ""),
            ("/q=5", ""),
            *((other, "") for other in ('/quoted="5"', '/b="true"', '/z=""', "/s=null", "/s=[1]", "/n=NaN", "/t=5.0")),
        ):
            with self.subTest(condition):
                code, output = erase("--dry-run", "--ids", id, "--where", condition)

                self.assertEqual(code, 3)
                self.assertTrue(output.startswith(NOTHING), output)
                if hint:
                    self.assertIn("  Hint: an event has it", output)
                self.assertIn(hint, output)

    def test_the_option_of_a_hint_finds_the_event(self):
        [id] = store(1, {"n": 5, "t": "5", "s": 'It\'s "Zoë" ', "q": '"a\\b"'})
        for condition, option in (
            ('/n="5"', "--where /n=5"),
            ("/s=zoë", """--where-containing '/s=zoë'"""),
            ("/q=A\\B", """--where-containing '/q=A\\B'"""),
            ('/q="\\"A\\\\B\\""', """--where-ignoring-case '/q="\\"A\\\\B\\""'"""),
        ):
            with self.subTest(condition):
                _, output = erase("--dry-run", "--ids", id, "--where", condition)
                self.assertIn(option, output)
                hinted = shlex.split(re.search(": (--where.*)", output)[1])
                code, output = erase("--dry-run", "--ids", id, *hinted)
                self.assertEqual((code, id in output), (0, True), output)
        self.assertEqual(search.option_of('{"pointer":"/t","equals":"5"}'), "--where '/t=\"5\"'")

    def test_a_text_is_found_anywhere_and_its_places_are_shown(self):
        name = f"{uuid.uuid4()}@example.com"
        own = [
            {"customer": {"email": name}},
            {"customer": {"email": name.upper() + " "}},
            {"to": [{"email": "x"}, {"email": f"Zoë <{name}>"}], "_meta": {"brand_id": name}},
        ]
        ids = [store(1, payload)[0] for payload in own]
        store(1, {name: "a member's name"})

        dry = subprocess.run(
            ["./erase", "--port", PORT, "--dry-run", "--anywhere", f" {name} "], capture_output=True, encoding="utf-8"
        )

        self.assertEqual(dry.returncode, 0, dry.stderr)
        self.assertCountEqual(dry.stdout.splitlines(), ids)
        self.assertEqual(dry.stderr, (
            "event type  place            events\n"
            "a.b         /customer/email  2\n"
            "a.b         /_meta/brand_id  1\n"
            "a.b         /to/*/email      1\n\n"
            "3 events found. Nothing is erased.\n"))
        code, output = run_on_terminal("y", "erase", "--port", PORT, "--anywhere", name)
        for expected in ("a.b         /to/*/email      1", "Erase 3 events? [y/N] ", "3 events erased. The proof:"):
            self.assertIn(expected, output)
        self.assertEqual([read(id).status for id in ids], [410] * 3)

    def test_a_text_narrows_a_brand_and_places_of_several_calls_are_added_up(self):
        brand = str(uuid.uuid4())
        ids = [store(1, {"text": text, **of_brand(brand)})[0] for text in ("call Zoe", "call Ann")]

        with patch("running.QUICKER", 10):  # it waits until the service can find all: with 100, it asks 100 times
            code, output = erase("--yes", "--brand", brand, "--anywhere", "zoe")

        self.assertEqual((code, proof(output)["narrowed"]), (0, "yes"))
        self.assertEqual([read(id).status for id in ids], [410, 200])
        place = {"event_type": "a.b", "pointer": "/text", "events": 2}
        first = {"ids": ["1"], "places": [place, {**place, "pointer": "/x"}], "next": "n"}
        answering(self, first, {"ids": ["2"], "places": [place], "more_places": True})
        self.assertEqual(erase("--dry-run", "--anywhere", "zoe")[1], (
            "event type  place  events\na.b         /text  4\na.b         /x     2\nand others\n\n"
            "1\n2\n2 events found. Nothing is erased.\n"))

    def test_what_a_user_sent_in_a_time_is_found(self):
        [id] = store()
        event = read(id).json
        sent = moment(event["created_at"])
        after = (sent + timedelta(milliseconds=1)).isoformat()
        select = ("--user", event["user_id"], "--from", event["created_at"])

        other = erase(*select, "--to", after, "--dry-run", "--event-type", "no.type", "--event-type", "no.*")
        for _ in range(100):  # until the event has its position in the feed
            found = erase(*select, "--to", after, "--dry-run", "--event-type", "*")
            if found[0] == 0:
                break
            time.sleep(0.05)
        before = erase(*select, "--to", event["created_at"], "--yes")

        self.assertEqual((other[0], "No event matches" in other[1] or "No event is found yet" in other[1]), (3, True))
        self.assertIn(id, found[1].splitlines())
        self.assertRegex(found[1], r"\n(The feed holds|Nobody knows) ")
        self.assertIn("/to: a time after from", before[1])

    def test_where_the_feed_does_not_hold_all_that_is_asked_for_it_says_so_and_erases(self):
        waits = {"erasure_id": "e", "erased": 0, "next": "e", "wait_seconds": 1, "whole_until": UNTIL}
        for words, whole, sentence in (
            (TO_NOW, {"whole_until": UNTIL}, f"The feed holds all that was stored before {UNTIL}, "),
            (TO_NOW, {"whole_until": minutes_ago(3)}, "The feed holds all that was stored before "),
            (OF_USER, {}, "Nobody knows yet what the feed holds.\n"),
            (OF_USER, {"whole_until": "2026-11-20T11:00:59Z"}, "The feed holds all that was stored before 2026-11-20T11"),
            (OF_USER, {"whole_since": "2026-11-20T09:59:01Z", "whole_until": minutes_ago(1)}, "The feed holds what was st"),
        ):
            for ids, found in ([], "0 events found."), (["1"], "1 event found, such as\n  1\n"):
                with self.subTest(words=words, whole=whole, ids=ids):
                    answering(self, {"ids": ids, **whole}, ERASED[0], waits, ERASED[1])

                    code, output = on_terminal("y", *words)

                    self.assertEqual(code, 0, output)
                    self.assertIn(found, output)
                    self.assertIn(f"\n{sentence}", output)
                    self.assertIn("\nMore may match. The erasure waits until the feed has it, or is refused and", output)
                    self.assertRegex(output, r"Erase \d events?, and what else matches then\? \[y/N\] ")
                    waited = f"before it began. It has come to what was stored before {UNTIL}, "
                    self.assertIn(f"It waits until the feed has all that was stored {waited}", output)
                    self.assertIn("\n1 event erased. The proof:\n", output)
                    self.assertNotIn("Nothing is erased", output)

    def test_where_the_feed_holds_all_that_is_asked_for_nothing_found_is_nothing(self):
        for words, whole in (
            (OF_USER, {"whole_until": "2026-11-20T11:01:00Z"}),
            (OF_USER, {"whole_until": minutes_ago(1), "whole_since": "2026-11-20T09:59:00Z"}),
            ((*TO_NOW, "--scan"), {}),
            (("--brand", "b"), {}),
        ):
            with self.subTest(words):
                calls = [{"ids": [], **whole}, {"ids": []}]
                answering(self, *calls)
                code, output = on_terminal("", *words)
                answering(self, *calls)
                dry = run("erase", "--dry-run", *words)

                self.assertEqual((code, dry[0]), (3, 3), output)
                for printed in output, dry[1]:
                    self.assertIn(NOTHING, printed)
                    self.assertNotIn("?", printed)
                    self.assertEqual("\nThe feed holds " in printed.partition("Not among")[0], bool(whole), printed)

    def test_a_dry_run_on_a_feed_that_is_behind_does_not_say_that_nothing_matches(self):
        answering(self, {"ids": [], "next": "n", "whole_until": UNTIL}, {"ids": [], "whole_until": minutes_ago(1)})

        code, output = run("erase", "--dry-run", *TO_NOW)

        self.assertEqual(code, 3)
        first = f"No event is found yet. Nothing is erased.\nThe feed holds all that was stored before {UNTIL}, "
        self.assertTrue(output.startswith(first), output)

    def test_a_mistake_is_named(self):
        ten = " ".join(f"--where /a={n}" for n in range(1, 6))
        for words, sentence in (
            ("--brand b", "without a terminal, --yes or --dry-run is necessary"),
            ("--yes", "--brand, --ids, --user, --where or --anywhere is necessary"),
            ("--anywhere abc --yes", "--anywhere takes --yes only beside --brand, --ids or --user"),
            ("--where-containing /a=abc --yes", "--where-containing takes --yes only beside --brand, --ids or --user"),
            ("--anywhere ' a ' --dry-run", "--anywhere needs a text of 3 to 255 characters: 'a'"),
            (f"--anywhere {'a' * 256} --dry-run", "--anywhere needs a text of 3 to 255 characters"),
            (f"{ten} --anywhere abc --yes --brand b", "11 conditions, and 10 are the most."),
            ("--ids", "--ids needs a value"),
            ("--where /a --yes", "--where needs POINTER=VALUE, such as /customer/id=207119551"),
            ("--where /a= --yes", "--where has no value; '/a=\"\"' is the empty text"),
            ("--where-ignoring-case /a= --yes", "--where-ignoring-case has no value; '/a=\"\"' is the empty text"),
            ("--where '/a=5 ' --yes", "--where has a space at an end: '5 '; put it in quotes, as in '/a=\"5 \"'"),
            ("--where '/a=\u00a05' --yes", "--where has a space at an end: '\u00a05'"),
            ("--where-ignoring-case '/a= b' --yes", "--where-ignoring-case has a space at an end: ' b'"),
            ("--where '/a=\"5' --yes", '--where has an unbalanced quote: "5; in JSON, "a\\"b" is the text a"b'),
            ("--where '/a=5\"' --yes", '--where has an unbalanced quote: 5"'),
            ('--where \'/a="5"b"\' --yes', '--where has an unbalanced quote: "5"b"'),
            ("--where-ignoring-case '/a=\"' --yes", '--where-ignoring-case has an unbalanced quote: "'),
            ("--where-ignoring-case /a --yes", "--where-ignoring-case needs POINTER=TEXT, such as /email=zoe@"),
            (f"{ten} --where-ignoring-case /a=6 --yes", "11 conditions, and 10 are the most."),
            ("--where /a=0.12345678901234567890", "--where cannot send the number 0.12345678901234567890 exactly"),
            ("--user x --to 2026-11-20T12:00:00Z --yes", "--user needs --from and --to"),
            ("--brand b --from 2026-11-20T12:00:00Z --yes", "--from needs --user"),
            ("--user x --from 9:00 --yes", "--from needs a time such as 2026-11-20T12:00:00Z"),
            ("--brand b --event-type a.b --yes", "--event-type belongs to --user"),
            ("--list --user x", "--list takes no --user"),
            ("--list --where-ignoring-case /a=b", "--list takes no --where"),
            ("--list --yes", "--list takes no --yes"),
            ("--show x --dry-run", "--show takes no --dry-run"),
            ("--show x --allow-none", "--show takes no --allow-none"),
            ("--end x --ids y", "--end takes no --ids"),
            ("--ids x --continue y --dry-run", "--continue takes no --dry-run"),
            ("everything --yes", "unknown word everything; operate/erase --help shows the options"),
            ("--brand a --ids x --yes", "validation_failed: /ids: only one of brand_id, ids and user_id"),
            ("--ids x --dry-run", "validation_failed: /ids/0: a UUID in lower case"),
            ("--show x", "validation_failed: /show: a UUID"),
        ):
            with self.subTest(words):
                code, output = erase(*shlex.split(words))
                self.assertTrue(output.startswith(f"operate/erase: {sentence}"), output)
                self.assertEqual(code, 2)

    def test_an_unknown_erasure_is_a_failure_that_says_where_they_all_are(self):
        sentence = "operate/erase: not_found: No erasure has this id. operate/erase --list shows all\n"
        self.assertEqual(erase("--show", "00000000-0000-0000-0000-000000000000"), (1, sentence))

    def test_the_usage_is_a_page_and_wrong_use_without_an_option(self):
        code, usage = run("erase", "--help")

        self.assertEqual(code, 0)
        self.assertLess(len(usage.splitlines()), 60)
        self.assertLessEqual(max(map(len, usage.splitlines())), 100)
        self.assertIn("Exit codes:", usage)
        self.assertEqual(run("erase"), (2, usage))


if __name__ == "__main__":
    unittest.main()
