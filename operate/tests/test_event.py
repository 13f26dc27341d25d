"""Tests operate/event, `reads --of` of operate/user, and what operate/erase says of who has heard of an erasure."""
import json, os, random, re, time, unittest, uuid
from datetime import datetime, timedelta, timezone
from unittest.mock import patch
from erasing import API, EVENTS, erase, of_brand, proof, store, token
from operators import command, logs, positions, readers, watch
from running import LOCAL, PORT, STACK, Insights, run
from test_reads import get, new_user, numbered

ERASURES = 1000 if os.environ.get("NIGHTLY") == "true" else 12
FUNCTION = "FindEventsFunction"


def event(*words):
    return run("event", "--port", PORT, *words)


def lines(output, what):
    """What the screen says of this, each with its mark."""
    return [line for line in output.splitlines() if line[2:].startswith(f"{what} ")]


def send(event, sender):
    return API.send("POST", EVENTS, event, sender).json


def changed(test, member, change):
    """Lets FindEventsFunction answer requests with this member otherwise."""
    invoke = command.LocalServe.invoke

    def invoked(self, function, request):
        answer = invoke(self, function, request)
        return change(answer) if function == FUNCTION and member in request else answer

    patched = patch.object(command.LocalServe, "invoke", invoked)
    patched.start()
    test.addCleanup(patched.stop)


class EventTest(unittest.TestCase):
    def test_what_was_refused_by_scope_is_found_by_its_key_alone_and_in_a_batch(self):
        user, sender = new_user("connector", event_types=["a.*"])
        alone, batched = {"event_type": "b.c", "payload": {}, "idempotency_key": 'one "1"'}, "two"
        send(alone, sender), send(alone, sender)
        batch = [{**alone, "idempotency_key": batched}, {**alone, "event_type": "a.b", "idempotency_key": "three"}]
        batch.append({"event_type": "a.b", "payload": 5, "idempotency_key": "four"})
        results = API.send("POST", f"{EVENTS}/batch", {"events": batch}, sender).json["results"]

        for key, expected in (
            (alone["idempotency_key"], '403 forbidden b.c one "1", 2 times since 20'),
            (batched, "forbidden, 1 of a batch b.c two"),
            ("four", "validation_failed, 1 of a batch a.b four /events/2/payload"),
        ):
            code, output = event("--key", key, "--user", user["email"])
            self.assertEqual(code, 0, output)
            [line] = lines(output, "refused")
            self.assertIn(expected, line)
            self.assertEqual("forbidden" in line, f"user --port {PORT} show {user['email']}" in output)
            self.assertIn("no event, no tombstone", output)
        code, output = event("--request", results[0]["problem"]["request_id"])
        self.assertEqual((code, len(lines(output, "refused"))), (0, 2), output)
        self.assertIn("3 events, 1 new, 0 known before", output)
        self.assertIn(results[1]["event"]["created_at"], lines(output, "stored")[0])

    def test_a_stored_event_shows_its_way_and_who_may_read_it_and_has_not(self):
        brand = f"{uuid.uuid4()}"
        user, sender = new_user("connector")
        sent = {"event_type": "a.b", "payload": of_brand(brand), "idempotency_key": brand}
        stored, _ = send(sent, sender), send(sent, sender)
        again = {**sent, "event_type": "a.other", "payload": {}}
        self.assertEqual(send(again, sender)["code"], "idempotency_key_reused")
        reader, reader_token = new_user("consumer")
        waiting, _ = new_user("consumer")
        outside, _ = new_user("consumer", event_types=["other.*"])
        position = numbered(brand, 1)[stored["id"]]
        get(f"/{stored['id']}", reader_token)

        with patch("operators.screen.MOST", 10_000):  # other tests have users, too
            code, output = event("--key", brand, "--user", user["id"])

        self.assertEqual(code, 0, output)
        self.assertRegex(lines(output, "received")[0], rf"POST /api/webhook-events, .* of {user['email']}, sent 2 times")
        self.assertIn("1 × another event under its key: 422", output)
        self.assertRegex(lines(output, "stored")[0], rf"a\.b, sent by {user['email']}: [\d,]+ bytes in 1 item\(s\), for ever")
        self.assertIn(f" {position} of the feed ", lines(output, "position")[0])
        self.assertTrue(any(reader["email"] in line and "with its payload" in line for line in lines(output, "read")), output)
        self.assertIn(outside["email"], lines(output, "outside")[0])
        self.assertIn(waiting["email"], lines(output, "not read")[0])
        self.assertNotIn(reader["email"], lines(output, "not read")[0])
        for words in ((stored["id"],), ("--where", f"/_meta/brand_id={brand}")):
            code, found = event(*words)
            self.assertEqual((code, lines(found, "stored")), (0, lines(output, "stored")), found)

    def test_what_is_stored_and_has_no_position_is_wrong_and_what_has_only_a_position_is_gone(self):
        [id] = store(1, of_brand(brand := f"{uuid.uuid4()}"))
        numbered(brand, 1)
        with self.subTest("not numbered"):
            changed(self, "entries", lambda answer: {**answer, "entries": []})
            self.assertRegex(event(id)[1], r"(?m)^! position +none yet: .*operate/feed --port \d+ status$")
        self.doCleanups()
        with self.subTest("gone"):
            changed(self, "event", lambda _: {})
            self.assertRegex(event(id)[1], r"(?m)^! stored .*a\.b; gone by now")
        self.doCleanups()
        with self.subTest("expired"):
            past = {"expires_at": "2026-01-01T00:00:00.000Z"}
            changed(self, "event", lambda answer: {"event": {**answer["event"], **past}})
            self.assertRegex(event(id)[1], r"(?m)^! stored .* expired 2026-01-01")

    def test_an_erased_event_shows_by_which_erasure_also_without_a_tombstone_and_that_it_was_sent_again(self):
        brand = f"{uuid.uuid4()}"
        user, sender = new_user("connector")
        id = send({"event_type": "a.b", "payload": of_brand(brand)}, sender)["id"]
        numbered(brand, 1)
        erasure = proof(erase("--yes", "--brand", brand, "--reason", "request 17")[1])["erasure id"]
        again = send({"event_type": "a.b", "payload": {}, "idempotency_key": f"resent-{id}"}, sender)["id"]

        for has_tombstone in (True, False):
            if not has_tombstone:
                changed(self, "event", lambda answer: {} if "erased_at" in answer.get("event", {}) else answer)
            code, output = event(id)
            self.assertEqual(code, 0, output)
            self.assertRegex(lines(output, "erased")[0], rf"by erasure {erasure} \(by brand_id, reason: request 17\) -> .* --show {erasure}")
            self.assertIn(f"as {again}, ", lines(output, "sent again")[0])

    def test_of_a_stack_other_logs_tell_the_address_and_who_has_erased(self):
        _, sender = new_user("connector")
        brand, (reader, reader_token) = f"{uuid.uuid4()}", new_user("consumer")
        id = send({"event_type": "a.b", "payload": of_brand(brand)}, sender)["id"]
        position = numbered(brand, 1)[id]
        begin = f"{get('', reader_token, order='asc', limit=1)['next'].partition('-')[0]}-{position - 1}"
        cursor = get("", reader_token, order="asc", cursor=begin, limit=1, include="erasures")["next"]
        erase("--yes", "--ids", id)
        page = {"events": []}
        while not any(each["id"] == id and "erased_at" in each for each in page["events"]):
            page = get("", reader_token, order="asc", cursor=cursor, limit=1000, include="erasures")
        get("", reader_token, order="asc", cursor=page["next"], include="erasures")
        asked, rows = [], {"trail": [{"arn": "arn:aws:iam::1:user/zoe"}]}
        rows["/aws/vendedlogs/apigateway/prod"] = [{"@timestamp": "1795803284761", "@message": '{"source_ip":"192.0.2.7"}'}]

        def aws(*words, stdin=""):
            if words[0] == "cloudformation":
                return json.dumps({"Stacks": [STACK]})
            if words[0] == "cloudtrail":
                return json.dumps({"trailList": [{"CloudWatchLogsLogGroupArn": "arn:aws:logs:r:1:log-group:trail:*"}]})
            if words[1] == "start-query":
                asked.append((words[3], words[5]))
                return json.dumps({"queryId": f"{len(asked) - 1}"})
            if words[1] == "get-query-results":
                group, query = asked[int(words[3])]
                logged = logs.lines(LOCAL, logs.BEGINNING, datetime.now(timezone.utc))
                found = rows.get(group) or Insights.rows(query, logged)
                cells = [[{"field": name, "value": value} for name, value in row.items()] for row in found]
                return json.dumps({"status": "Complete", "results": cells})
            with open(words[6], "w") as file:
                json.dump(LOCAL.invoke(words[3], json.loads(stdin)), file)
            return ""

        with patch.object(command, "aws", aws):
            code, output = run("event", "--stack", "prod", id)

        self.assertEqual(code, 0, output)
        self.assertIn(", from 192.0.2.7 -> operate/event --stack prod --request ", lines(output, "received")[0])
        self.assertIn(", run by arn:aws:iam::1:user/zoe -> ", lines(output, "erased")[0])
        self.assertIn(f"{reader['email']}: shown, read past on ", output)
        self.assertEqual([line for line in output.splitlines() if line.startswith("?")], [], output)

    def test_a_right_that_is_missing_hides_a_line_and_says_which_and_the_log_has_its_price(self):
        [id] = store(1, of_brand(f"{uuid.uuid4()}"))
        denied = "not authorized to perform: lambda:InvokeFunction on resource"
        for missing in ("ManageUsersFunction", "logs"):

            def aws(*words, stdin="", missing=missing):
                if missing in (words[0], words[3]):
                    raise command.Failure(denied)
                if words[0] == "cloudformation":
                    kept = [{"ParameterKey": "LogRetentionDays", "ParameterValue": "90"}]
                    return json.dumps({"Stacks": [{**STACK, "Parameters": kept}]})
                if words[1] == "get-query-results":
                    return json.dumps({"status": "Complete", "results": [], "statistics": {"bytesScanned": 2e9}})
                if words[0] == "logs":
                    return json.dumps({"queryId": "1"})
                with open(words[6], "w") as file:
                    json.dump(LOCAL.invoke(words[3], json.loads(stdin)), file)
                return ""

            with self.subTest(missing), patch.object(command, "aws", aws):
                code, output = run("event", "--stack", "prod", id)
                self.assertEqual(code, 0, output)
                self.assertIn("needs the right lambda:InvokeFunction", output)
                self.assertEqual(len(lines(output, "stored")), 1, output)
                read = 0 if missing == "logs" else 3
                self.assertIn(f"{read} queries of the log have read {2 * read}.000 GB: ${read / 100:.4f}", output)

    def test_nothing_under_an_id_is_no_success_and_wrong_use_says_what_is_right(self):
        code, output = event(f"{uuid.uuid4()}")
        self.assertEqual((code, "no event, no tombstone" in output), (3, True), output)
        self.assertEqual(event("--where", f"/none={uuid.uuid4()}")[0], 3)
        for words, expected in (
            ((), "Usage: operate/event"),
            (("x",), "ID is an event's id, not x"),
            (("--key", "k"), "--key and --user belong together"),
            (("--key", "k", "--user", "u", "--request", "r"), "one of ID, --key, --request and --where"),
            (("--request", 'a"b'), "takes the id of a request"),
        ):
            with self.subTest(expected):
                code, output = event(*words)
                self.assertEqual((code, expected in output), (2, True), output)

    def test_who_has_read_events_is_listed_also_of_erased_ones(self):
        brand = f"{uuid.uuid4()}"
        ids = store(3, of_brand(brand))
        numbered(brand, 3)
        by_feed, feed_token = new_user("consumer")
        by_list, list_token = new_user("consumer")
        get("", feed_token, order="asc", brand_id=brand, limit=2, include="payload")
        get("", list_token, brand_id=brand)
        erase("--yes", "--ids", ids[0])

        code, output = run("user", "--port", PORT, "reads", "--of", *ids)

        self.assertEqual(code, 0, output)
        rows = [line.split() for line in output.splitlines() if by_feed["email"] in line or by_list["email"] in line]
        self.assertEqual(sum(row[-1] == "yes" and row[3] == by_feed["email"] for row in rows), 2, output)
        self.assertEqual({row[1] for row in rows if row[3] == by_list["email"]}, set(ids), output)
        code, output = run("user", "--port", PORT, "reads", "--of", "x")
        self.assertEqual((code, "needs ids of events" in output), (2, True), output)


def read_log_once(test):
    """Lets the questions of a test, of which there may be thousands, look at the log as it is now."""
    all_lines = logs.lines(LOCAL, logs.BEGINNING, datetime.now(timezone.utc))

    def lines(_, begin, end, pattern="", kept=lambda line: True, words=()):
        first, last = (logs.text(logs.milliseconds(each)) for each in (begin, end))
        return [(at, line) for at, line in all_lines if first <= at < last and kept(line)]

    patched = patch.object(logs, "lines", lines)
    patched.start()
    test.addCleanup(patched.stop)


class Program:
    """A consumer that keeps its cursor. One that is killed loses the page that it has just got."""

    def __init__(self, user, erasures=True, share=""):
        (self.user, self.token), self.share, self.erasures = user, share, erasures
        self.cursor, self.shown, self.heard, self.stored = None, set(), set(), set()

    def ask(self, keeps, limit):
        query = {"order": "asc", "limit": limit, **({"cursor": self.cursor} if self.cursor else {})}
        page = get("", self.token, **query, **self.options())
        self.heard |= self.stored  # it has asked from where it had stored
        self.shown |= {entry["id"] for entry in page["events"] if "erased_at" not in entry}
        if keeps:
            self.cursor = page["next"]
            self.stored |= {entry["id"] for entry in page["events"] if "erased_at" in entry}
        return page["more"]

    def options(self):
        return {**({"share": self.share} if self.share else {}), **({"include": "erasures"} if self.erasures else {})}

    def expected(self, ids):
        """What is to be said of the erasure of these events; None if it has no row."""
        shown = self.shown & set(ids)
        if not shown:
            return None
        if not self.erasures:
            return "shown, asks for no erasures"
        return "shown, read past" if shown <= self.heard else "shown, not yet"


class HeardTest(unittest.TestCase):
    """Readers walk by chance; what the log says of them is compared with what they have done."""

    def setUp(self):
        self.chance, self.began = random.Random(97), datetime.now(timezone.utc)
        end = get("", token("consumer"), order="asc", limit=1, **{"from": datetime.now(timezone.utc).isoformat()})
        self.begin = f"{end['next'].partition('-')[0]}-{end['head']}" if end["head"] else None

    def program(self, user, **options):
        program = Program(user, **options)
        program.cursor = self.begin
        return program

    def wait(self, ids, entries):
        """Waits until the feed has these events, or their erasures too: so many entries of each."""
        for _ in range(200):
            found = positions.Entries(LOCAL, ids, self.began)
            if all(len(found.events.get(id, [])) + len(found.erasures.get(id, [])) == entries for id in ids):
                return
            time.sleep(0.05)
        raise AssertionError("the feed stands")

    def test_each_row_of_an_erasure_says_what_its_reader_has_done(self):
        follows, kills, passes, halves, comes = (new_user("consumer") for _ in range(5))
        outside = new_user("consumer", event_types=["other.*"])
        stopped = self.program(new_user("consumer"))
        killed, second = self.program(kills), self.program(kills, erasures=False)
        shares = [self.program(halves, share=f"{share}/2") for share in (1, 2)]
        programs = [self.program(follows), killed, second, self.program(passes, erasures=False), *shares]
        programs += [self.program(outside), stopped]
        walking, live, erased = list(programs), [], {}
        while len(erased) < ERASURES:
            if len(live) < 5:
                live += (new := store(20))
                self.wait(new, 1)
                for program in walking if not erased else ():
                    program.ask(program is not killed, 1000)
            for program in self.chance.sample(walking, 3):
                program.ask(program is not killed or self.chance.random() < 0.3, self.chance.choice((3, 10, 1000)))
            ids = [live.pop(self.chance.randrange(len(live))) for _ in range(self.chance.randint(1, 3))]
            erased[proof(erase("--yes", "--ids", *ids)[1])["erasure id"]] = ids
            if len(erased) == ERASURES // 2:
                walking = [each for each in walking if each not in (stopped, shares[1])]
                programs.append(self.program(comes))
                walking.append(programs[-1])
        self.wait([id for ids in erased.values() for id in ids], 2)
        for program in walking:
            while program.ask(program is not killed, 1000):
                pass
        for program in programs[:1] + shares[:1]:
            program.ask(True, 1000)

        users, kinds = watch.all_users(LOCAL), set()
        read_log_once(self)
        for ids in erased.values():
            found = {}
            for row in readers.who_heard(LOCAL, ids, users):
                said = re.sub(r"(read past) on .*|(not yet), .*", r"\1\2", row["heard"])
                found.setdefault(row["reader"], []).append(f"{row.get('share', '')} {said}")
            for user, _ in {program.user["id"]: (program.user, 0) for program in programs}.values():
                said = [
                    f"{each.share} {each.expected(ids)}" for each in programs if each.user is user and each.expected(ids)
                ]
                self.assertEqual(sorted(found[user["email"]]), sorted(said) or [" never shown"], (ids, user["email"]))
                kinds.update(said or ["never shown"])
        self.assertGreaterEqual({kind[-9:] for kind in kinds}, {"read past", ", not yet", " erasures", "ver shown"})

    def test_the_command_prints_a_row_for_each_reader_and_what_it_may_not_read(self):
        [id] = store(1, of_brand(brand := f"{uuid.uuid4()}"))
        numbered(brand, 1)
        reader, reader_token = new_user("consumer")
        get(f"/{id}", reader_token)
        erasure = proof(erase("--yes", "--ids", id)[1])["erasure id"]

        code, output = erase("--show", erasure)

        self.assertEqual(code, 0, output)
        self.assertRegex(output, rf"(?m)^{reader['email']} +1 of 1 +\S+Z +shown, asks for no erasures$")
        self.assertRegex(output, r"\n0 of \d+ that were shown events have read past it\.\n")
        with patch.object(readers, "who_heard", side_effect=command.Failure("needs a right")):
            self.assertIn("\n? heard: needs a right\n", erase("--show", erasure)[1])

    def test_what_is_older_than_the_log_is_not_known(self):
        [id] = store(1, of_brand(brand := f"{uuid.uuid4()}"))
        numbered(brand, 1)
        erase("--yes", "--ids", id)
        reader, _ = new_user("consumer")
        begin = datetime.now(timezone.utc) + timedelta(seconds=1)

        with patch.object(logs, "known_since", lambda _: begin):
            rows = list(readers.who_heard(LOCAL, [id], {reader["id"]: reader}))

        self.assertEqual([row["heard"] for row in rows if row["reader"] == reader["email"]], ["not known: older than the log"])


if __name__ == "__main__":
    unittest.main()
