"""Tests operate/resend: what it leaves out, what it says and asks, and its exit codes. ResendErasedTest shows what it sends."""
import base64, json, os, re, time, unittest, uuid
from datetime import datetime, timedelta, timezone
from unittest.mock import patch
from erasing import API, EVENTS, ErasingTest, of_brand, read, store, token
from operators import command
from operators.api import Answer, Api
from operators.command import Failure
from operators.patient import Patient
from operators.sender import Sender, text_of
from running import LOCAL, PORT, run, run_on_terminal

LATER = {"N": str(int(time.time()) + 10_000)}
PAST = {"N": str(int(time.time()))}


def me(role="connector"):
    return API.send("GET", "/api/auth/me", token=token(role)).json


def payload(id):
    return API.send("GET", f"{EVENTS}/{id}/payload", token=token("consumer")).body


def copied(id, brand=None, **more):
    """The item of an event, as a copy has it."""
    event = read(id).json
    user = base64.b64encode(uuid.UUID(event["user_id"]).bytes).decode()
    item = {name: {"S": event[name]} for name in ("id", "event_type", "created_at")}
    index = {"brand_key": {"S": f"{brand}#7"}} if brand else {}
    return {**item, **index, "user_id": {"B": user}, "payload": {"S": payload(id).decode()}, **more}


def erased(begin_only=False, **request):
    """The id of an erasure."""
    service = Patient(LOCAL)  # the machine may be busy
    answer = first = service.invoke("EraseEventsFunction", request)
    while "next" in answer and not begin_only:
        time.sleep(answer.get("wait_seconds", 0) / 10)
        answer = service.invoke("EraseEventsFunction", {**request, "next": answer["next"]})
    return first["erasure_id"]


class ResendTest(ErasingTest):
    def setUp(self):
        super().setUp()
        self.copy, self.calls = {}, []
        for patched in (
            patch.dict(os.environ, CONNECTOR_API_TOKEN=token("connector")),
            patch.object(command, "aws", self.aws),
        ):
            patched.start()
            self.addCleanup(patched.stop)

    def aws(self, *words, **_):
        """Stands in for the AWS CLI: reads the copy, two items a call."""
        self.assertEqual(words[:3], ("dynamodb", "batch-get-item", "--request-items"))
        [(table, asked)] = json.loads(words[3]).items()
        self.calls.append(asked)
        found = [self.copy[key["id"]["S"]] for key in asked["Keys"][:2] if key["id"]["S"] in self.copy]
        left = asked["Keys"][2:]
        return json.dumps({
            "Responses": {table: found} if found else {},
            "UnprocessedKeys": {table: {**asked, "Keys": left}} if left else {},
        })

    def put(self, *items):
        self.copy.update((item["id"]["S"], item) for item in items)

    def resend(self, *erasures):
        return run("resend", "--port", PORT, *erasures, "--from", "events-restored", "--yes")

    def sent(self, output):
        """The new ids, by the old ones."""
        return dict(re.findall(r"([0-9a-f-]{36})  ([0-9a-f-]{36})\n", output))

    def test_what_must_stay_away_is_left_out_and_listed(self):
        mine, other = (f"{uuid.uuid4()}.example.com" for _ in range(2))
        ids = store(9)
        again, absent, dead, old, named, open, brand, narrowed, late = ids
        self.put(*map(copied, (again, named, open, late)), copied(old, expires_at=PAST), copied(narrowed, mine))
        self.put({"id": {"S": dead}, "erased_at": {"S": "2026-11-20T12:00:00.000Z"}}, copied(brand, other))
        self.copy[again]["expires_at"] = LATER
        self.copy[late].update(
            brand_key={"S": f"{other}#0"},  # created more than a minute after the brand's erasure
            created_at={"S": (datetime.now(timezone.utc) + timedelta(minutes=2)).isoformat()},
        )
        wrong = erased(ids=ids)
        where = {"where": [{"pointer": "/no", "equals": str(uuid.uuid4())}]}
        reasons = {
            absent: "the copy does not have it",
            dead: "it is erased in the copy",
            old: "its retention has passed",
            named: f"erasure {erased(ids=[named])} names it too",
            brand: f"erasure {erased(brand_id=other)} of its brand would have taken it",
        }
        steps = {"ids": [open], "erasure": {}}
        begun = erased(begin_only=True, ids=[open])
        reasons[open] = f"erasure {begun} names it too"
        to_make = [erased(**where), erased(brand_id=mine, **where), begun]
        not_to_make = erased(brand_id=other, **where, to="2026-01-01T00:00:00Z")
        invoke = LOCAL.invoke

        def with_step(target, function, event):  # of the erasure that has not ended
            return steps if event.get("show") == begun else invoke(function, event)

        with patch.object(command.LocalServe, "invoke", with_step):
            code, output = self.resend(wrong)

        self.assertEqual((code, self.sent(output).keys()), (0, {again, narrowed, late}), output)
        for id, reason in reasons.items():
            self.assertIn(f"Left out, since {reason}:\n  {id}\n", output)
        listed = re.findall(r"(?m)^(\S{36})  20\S+Z +(\S+) +(?:True|False)", output)
        self.assertEqual(sorted(to_make), sorted({id for id, _ in listed} & {*to_make, not_to_make}), output)
        new = " ".join(self.sent(output).values())
        self.assertRegex(output, rf"(?m)^Make each again.*:\n  operate/erase (--port {PORT} )?--ids {new}$")

    def test_erasures_that_begin_meanwhile_are_listed_at_the_end(self):
        brand = f"{uuid.uuid4()}.example.com"
        ids = store(2, of_brand(brand))
        self.put(*[copied(id, brand) for id in ids])
        wrong, late, sends = erased(ids=ids), [], Api.send_once

        def send_once(api, *request):
            if request[1].startswith(EVENTS) and not late:
                late.extend([erased(brand_id=brand), erased(where=[{"pointer": "/a", "equals": "b"}])])
            return sends(api, *request)

        with patch.object(Api, "send_once", send_once):
            code, output = self.resend(wrong)

        self.assertEqual(code, 1, output)
        new = self.sent(output).values()
        self.assertIn(f"Erase this by --ids, since erasure {late[0]} of its brand would have taken it:\n", output)
        self.assertTrue(all(f"\n  {id}\n" in output for id in new), output)
        self.assertRegex(output, rf"\n{late[1]} .* where ")

    def test_the_command_for_an_erasure_that_is_made_again_takes_what_was_sent(self):
        name = str(uuid.uuid4())
        [id], where = store(1, {"customer": name}), ("--where", f"/customer={name}", "--yes")
        self.put(copied(id))
        wrong = erased(ids=[id])
        made = LOCAL.invoke("FindEventsFunction", {"show": erased(where=[{"pointer": "/customer", "equals": name}])})
        output = self.resend(wrong)[1]
        new, words = self.sent(output)[id], re.search(r"operate/erase (.*)", output)[1].split()

        before = run("erase", "--port", PORT, *where, "--to", made["erasure"]["begun"])
        code, output = run("erase", *words, *where)

        self.assertEqual(before[0], 3, before[1])  # what was sent is younger than the erasure
        self.assertEqual((code, read(new).status), (0, 410), output)

    def test_one_user_sends_and_the_others_wait(self):
        [id] = store()
        self.put(copied(id, user_id={"B": base64.b64encode(bytes(16)).decode()}))

        code, output = self.resend(erased(ids=[id]))

        self.assertEqual(code, 0, output)
        self.assertIn(f"Not sent: 1 event of the user {uuid.UUID(int=0)}. Run it with", output)
        self.assertIn(f"No event of {me()['email']} is to be sent.", output)

    def test_what_the_service_refuses_is_listed_and_the_rest_is_sent(self):
        ids = store(3)
        self.put(*map(copied, ids))
        self.copy[ids[1]]["event_type"] = {"S": "no type"}
        self.copy[ids[2]].update(payload={"B": ""}, parts={"N": "1"})
        wrong = erased(ids=ids)

        code, output = self.resend(wrong)
        erased(ids=list(self.sent(output).values()))
        again = self.resend(wrong)

        self.assertEqual((code, self.sent(output).keys(), again[0]), (1, {ids[0]}, 1), output)
        self.assertIn(f"{ids[1]} could not be sent: validation_failed", output)
        self.assertIn(f"{ids[2]} could not be sent: the copy does not have all of it", output)
        self.assertIn(f"{ids[0]} could not be sent: event_erased", again[1])

    def test_it_asks_and_says_what_that_means(self):
        for typed, status in ("y", 200), ("", 404):
            with self.subTest(typed):
                [id] = store()
                self.put(copied(id))
                wrong = erased(ids=[id])
                words = ("--port", PORT, wrong, "--from", "events-restored")

                code, output = run_on_terminal(typed, "resend", *words)

                self.assertEqual(code, 0 if typed else 1, output)
                for expected in ("retention begins anew", "stay erased", "include=erasures", "Send 1 event? [y/N]"):
                    self.assertIn(expected, output)
                self.assertEqual(read(self.sent(output).get(id, uuid.uuid4())).status, status)

    def test_erasures_that_do_not_fit_end_it(self):
        begun = erased(begin_only=True, ids=store())
        [id] = store()
        wrong = erased(ids=[id])
        for id, exit_code, sentence in (
            (begun, 1, f"erasure {begun} has not ended"),
            (str(uuid.uuid4()), 1, "not_found: No erasure has this id."),
            ("x", 2, "ERASURE: a UUID"),
        ):
            with self.subTest(sentence):
                code, output = self.resend(wrong, id)
                self.assertEqual((code, self.calls), (exit_code, []), output)
                self.assertIn(sentence, output)
        for value, sentence in (token("consumer"), "are of a consumer"), ("x.y.z", "401 invalid_token"):
            with self.subTest(sentence), patch.dict(os.environ, CONNECTOR_API_TOKEN=value):
                self.assertIn(sentence, self.resend(wrong)[1])
        with patch.object(command, "aws", lambda *_, **__: '{"Responses":{},"UnprocessedKeys":{"a":{"Keys":[]}}}'):
            self.assertIn("DynamoDB does not read events-restored", self.resend(wrong)[1])

    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            ((), "Usage: operate/resend"),
            (("--yes", "--from", "x"), "the id of an erasure is necessary"),
            (("y", "--yes"), "--from is necessary"),
            (("y", "--from", "x"), "without a terminal, --yes is necessary"),
            (("y", "--from", "x", "--yes"), "CONNECTOR_API_TOKEN is not set"),
        ):
            with self.subTest(words), patch.dict(os.environ, CONNECTOR_API_TOKEN="", CONNECTOR_API_EMAIL="x"):
                code, output = run("resend", *words)
                self.assertEqual(code, 2, output)
                self.assertIn(sentence, output)


class SenderTest(unittest.TestCase):
    """How events are sent to a service that stores each key once, and that answers the first of these requests so."""

    def sent(self, texts, failure=None, token="t"):
        """Sends the texts. Returns the results, the requests, and the logins."""
        stored, requests, logins = set(), [], []

        def new(text):
            key = json.loads(text)["idempotency_key"]
            stored_before = key in stored
            stored.add(key)
            return {"status": 201, "event": {"id": key}, "replayed": stored_before}

        def send_once(_, method, path, body, token):
            if path.startswith("/api/auth/"):
                logins.extend([path] * path.endswith("login"))
                return Answer(200, {}, json.dumps({"access_token": "t", "id": "u", "email": "e", "role": "connector"}))
            texts = [json.dumps(each) for each in json.loads(body)["events"]] if path.endswith("batch") else [body]
            results = [new(text) for text in texts]
            requests.append((path, len(texts)))
            if failure and len(requests) == 1:  # its events are stored, and the answer is lost
                if isinstance(failure, Failure):
                    raise failure
                return failure
            if path.endswith("batch"):
                return Answer(200, {}, json.dumps({"results": results}))
            replayed = {"Idempotency-Replayed": "true"} if results[0]["replayed"] else {}
            return Answer(201, replayed, json.dumps(results[0]["event"]))

        with patch.object(Api, "send_once", send_once), patch("time.sleep"):
            sender = Sender("http://127.0.0.1:1", (token, {"email": "e", "password": "p"}))
            return dict(sender.send(texts)), requests, logins

    def texts(self, *payloads):
        return [(str(n), text_of(f"resent-{n}", {}, payload)) for n, payload in enumerate(payloads)]

    def test_it_sends_again_what_may_pass_under_the_same_key(self):
        for failure in (
            *(Answer(503, {"Retry-After": "1"}, b"{}"), Answer(429, {}, b'{"message":"Too Many Requests"}')),
            *(Failure("no answer"), Answer(401, {}, b'{"code":"expired_token"}'), Answer(413, {}, b'{"message":"Too long"}')),
            Answer(200, {}, b'{"results":[{"status":503},{"status":503}]}'),
        ):
            with self.subTest(failure):
                results, requests, logins = self.sent(self.texts(b"{}", b"{}"), failure, token="")

                self.assertEqual([each["replayed"] for each in results.values()], [True, True], requests)
                self.assertEqual(len(logins), 2 if getattr(failure, "status", 0) == 401 else 1)

    def test_batches_keep_to_the_limits(self):
        large = json.dumps({"q": '"' * 1_500_000}).encode()  # which Lambda counts fourfold
        long = json.dumps({"x": "y" * 1_999_000}).encode()

        results, requests, _ = self.sent(self.texts(*[b"{}"] * 101, large, long, long))

        self.assertEqual(len(results), 104)
        batch = f"{EVENTS}/batch"
        self.assertEqual(requests, [(batch, 100), (EVENTS, 1), (EVENTS, 1), (batch, 2)])


if __name__ == "__main__":
    unittest.main()
