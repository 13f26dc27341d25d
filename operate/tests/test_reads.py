"""Tests what operate/user finds in the log: `reads`, and `list --used`. LeakedReaderTest plays a whole leak."""
import json, os, re, time, unittest, uuid
from datetime import datetime, timedelta, timezone
from unittest.mock import patch
from urllib.parse import urlencode
from erasing import API, EVENTS, store, token
from operators import command, logs, positions, reads
from running import LOCAL, PORT, STACK, aws_cli, run

LOGS = {**STACK, "Parameters": [{"ParameterKey": "LogRetentionDays", "ParameterValue": "90"}]}
LOGS["Outputs"] = [*STACK["Outputs"], {"OutputKey": "FunctionLogsName", "OutputValue": "/stack/functions"}]


def new_user(role, **members):
    """Returns a new user, and a token of it."""
    user = {"email": f"{uuid.uuid4()}@example.com"}
    created = LOCAL.invoke("ManageUsersFunction", {**user, "action": "create", "role": role, **members})["user"]
    issued = LOCAL.invoke("ManageUsersFunction", {**user, "action": "issue-static-token"})
    return created, issued["token"]["access_token"]


def get(path, token, **query):
    answer = API.send("GET", f"{EVENTS}{path}?{urlencode(query)}", token=token)
    assert answer.status == 200, answer
    return answer.json


def numbered(brand, count):
    """Waits until the feed has these events of the brand, and returns their positions by id."""
    for _ in range(100):
        found = get("", token("consumer"), order="asc", brand_id=brand, limit=1000)["events"]
        if len(found) == count:
            return {entry["id"]: entry["position"] for entry in found}
        time.sleep(0.05)
    raise AssertionError(f"{len(found)} of {count} events have a position")


def instant(**delta):
    return (datetime.now(timezone.utc) + timedelta(**delta)).isoformat()


class StandInReader:
    """The feed of a name, with these entries and events."""

    def __init__(self, feed, entries=(), events=()):
        self.feed, self.all, self.by_id = feed, entries, {each["id"]: each for each in events}

    def end(self):
        return self.feed, f"{self.feed}-9"

    def entries(self, cursor, until):
        first, last = (int(each.partition("-")[2]) for each in (cursor, until))
        return (each for each in self.all if first < each["position"] <= last)

    def event(self, id):
        return self.by_id.get(id)


class ReadsTest(unittest.TestCase):
    def setUp(self):
        self.as_reader(token("consumer"))

    def as_reader(self, value):
        setting = patch.dict(os.environ, CONSUMER_TOKEN=value)
        setting.start()
        self.addCleanup(setting.stop)

    def reads(self, email, *words):
        return run("user", "--port", PORT, "reads", email, "--from", instant(hours=-1), "--to", instant(hours=1), *words)

    def before(self, position):
        name = get("", token("consumer"), order="asc", limit=1)["next"].partition("-")[0]
        return f"{name}-{position - 1}"

    def test_what_a_parameter_of_a_list_leaves_out_is_not_named(self):
        """The log has the positions of a page of the feed, but only the ends of a page of a brand's list: `may_show` must
        know each of its filters. A new one needs a query here that leaves out some events between others.
        """
        brand = f"{uuid.uuid4()}"
        share = int(reads.hash_of(brand), 16) % 2
        other = next(it for it in map(str, iter(uuid.uuid4, None)) if int(reads.hash_of(it), 16) % 2 != share)
        for _ in range(3):
            for topic, name in (("b", brand), ("c", brand), ("b", other)):
                store(1, {"_meta": {"source": "a", "topic": topic, "brand_id": name}}, f"a.{topic}")
        positions = sorted(numbered(brand, 6).values())
        window = {"order": "asc", "cursor": self.before(positions[0]), "until": self.before(positions[-1])}
        of_brand_only = {"brand_id": brand}
        page = get("", token("consumer"), **of_brand_only, limit=2)
        created = page["events"][1]["created_at"]
        queries = {
            "event_type": {**of_brand_only, "event_type": "a.b"},
            "brand_id": of_brand_only,
            "share": {**window, "share": f"{share + 1}/2"},
            "order": {**of_brand_only, "order": "asc"},
            "from": {**of_brand_only, "from": created},
            "to": {**of_brand_only, "to": created},
            "until": window,
            "limit": {**of_brand_only, "limit": 2},
            "include": {**of_brand_only, "include": "payload"},
            "cursor": {**of_brand_only, "cursor": page["next"]},
        }
        refusal = API.send("GET", f"{EVENTS}?none=1", token=token("consumer")).json["detail"]
        self.assertEqual(", ".join(queries), refusal.partition("takes the parameters ")[2].rstrip("."))
        for parameter, query in queries.items():
            reader, reader_token = new_user("consumer")
            shown = sorted(entry["id"] for entry in get("", reader_token, **query)["events"])
            all_others = {name: value for name, value in query.items() if name != parameter}
            without_it = {entry["id"] for entry in get("", token("consumer"), **all_others)["events"]}

            code, output = self.reads(reader["id"])

            with self.subTest(parameter):
                self.assertEqual(code, 0, output)
                rows = [line.split() for line in output.splitlines() if re.match(r"2\d+-\d\d-\d\dT", line)]
                self.assertEqual(sorted(row[-4] for row in rows), shown, output)
                self.assertEqual({row[-1] for row in rows}, {"yes" if "include" in query else "no"}, "has read the payload")
                self.assertEqual(without_it <= set(shown), parameter in ("order", "include"), "what leaves nothing out")

    def test_who_has_read_nothing_in_the_time_has_an_empty_list(self):
        reader, reader_token = new_user("consumer")
        get("", reader_token, order="asc", limit=1)
        begin, end = instant(hours=-2), instant(hours=-1)

        code, output = run("user", "--port", PORT, "reads", reader["email"], "--from", begin, "--to", end)

        self.assertEqual((code, output), (0, "No event read, by 0 requests that showed some.\n"))

    def test_the_positions_of_another_feed_and_an_id_that_has_a_new_event_are_gone(self):
        old, new = "2026-11-20T12:00:00.000Z", "2026-11-20T13:00:00.000Z"
        entries = [{"position": 2, "id": "b", "created_at": old}, {"position": 3, "id": "c", "created_at": old}]
        rows = reads.Rows(StandInReader("0000000a", entries, [{"id": "d", "created_at": new}]))

        rows.add_positions("0000000b", {2: reads.Sight(old, False)})
        rows.add_positions("0000000a", {1: reads.Sight(old, False), 3: reads.Sight(old, True)})
        rows.add_ids({"d": reads.Sight(old, True), "c": reads.Sight(new, True)})

        self.assertEqual([row.get("position", row.get("id")) for row in rows.gone], [2, 1, "d"])
        self.assertEqual({id: row["read_at"] for id, row in rows.events.items()}, {"c": old})

    def test_a_page_of_a_brands_list_shows_what_lies_between_its_first_and_its_last_event(self):
        at = "2026-11-20T12:00:00.00{}Z".format
        line = {"first_created_at": at(3), "first_id": "m", "last_created_at": at(1), "last_id": "k"}
        for time_and_id, event_type, more, expected in (
            ((2, "a"), "a.b", {}, True),
            ((3, "m"), "a.b", {}, True),
            ((3, "n"), "a.b", {}, False),
            ((1, "k"), "a.b", {}, True),
            ((1, "j"), "a.b", {}, False),
            ((4, "a"), "a.b", {}, False),
            ((2, "a"), "a.b", {"event_types": "c.*,a.b*"}, True),
            ((2, "a"), "a.b", {"event_types": "c.*,a.bc"}, False),
            ((2, "a"), "a.b", {"event_types": "*", "scope": "a.c,c.d"}, False),
            ((2, "a"), "a.b", {"scope": "a.b"}, True),
        ):
            with self.subTest(time_and_id, more=more):
                entry = {"created_at": at(time_and_id[0]), "id": time_and_id[1], "event_type": event_type}
                self.assertEqual(reads.may_show({**line, **more}, entry), expected)

    def test_windows_join_what_is_near(self):
        near, far = positions.JOINED, positions.JOINED + 1
        for given, expected in (
            ([7], [(7, 7)]),
            ([1, 1 + near], [(1, 1 + near)]),
            ([1, 1 + far, 2 + far], [(1, 1), (1 + far, 2 + far)]),
        ):
            self.assertEqual(list(positions.windows(given)), expected)

    def test_the_log_of_a_stack_is_read_for_the_lines_of_this_user(self):
        reader, _ = new_user("consumer")
        [id] = store(1)
        now = round(time.time() * 1000)
        page = {"user_id": reader["id"], "route": "GET /api/webhook-events/{id}", "status": 200, "event_id": id}
        messages = (
            page,
            {**page, "user_id": "other", "event_id": "other"},
            {**page, "status": 304, "event_id": "known"},
            {**page, "route": "POST /api/webhook-events", "event_id": "sent"},
        )
        events = [{"timestamp": now, "message": json.dumps(each)} for each in messages]
        events.append({"timestamp": now, "message": "INIT_REPORT of Lambda"})
        calls = []
        with self.stack(lambda *words: calls.append(words) or {"events": events}):
            begin = instant(days=-91)
            code, output = run("user", "--stack", "prod", "reads", reader["email"], "--from", begin, "--to", instant(days=1))

        self.assertEqual(code, 0, output)
        self.assertIn("1 event read, by 1 request that showed some.", output)
        self.assertRegex(output, rf"\n\S+Z +{id} +a\.b .* yes\n")
        self.assertIn("The log is kept for 90 days (LogRetentionDays).", output)
        [words] = calls
        named = dict(zip(words[2::2], words[3::2]))
        self.assertEqual(words[:2], ("logs", "filter-log-events"))
        self.assertEqual(named["--log-group-name"], "/stack/functions")
        pattern = f'{{ $.user_id = "{reader["id"]}" && ($.shown > 0 || $.event_id = "*") }}'
        self.assertEqual(named["--filter-pattern"], pattern)
        self.assertEqual(named["--start-time"], str(logs.milliseconds(command.moment(begin))))

    def stack(self, logged):
        """A stack whose log answers so."""
        stand_in = aws_cli(LOGS)
        stand_in.start()
        self.addCleanup(stand_in.stop)
        answered = command.aws
        return patch.object(
            command,
            "aws",
            lambda *words, **more: json.dumps(logged(*words)) if words[0] == "logs" else answered(*words, **more),
        )

    def test_the_list_of_users_shows_when_each_was_last_used(self):
        sender, sender_token = new_user("connector")
        reader, reader_token = new_user("consumer")
        unused, _ = new_user("consumer")
        body = {"event_type": "a.b", "payload": {}, "idempotency_key": "k"}
        created = API.send("POST", EVENTS, body, sender_token).json["created_at"]
        API.send("POST", EVENTS, {"payload": {}}, sender_token)
        get("", reader_token, order="asc", limit=1)

        code, output = run("user", "--port", PORT, "list", "--used")

        self.assertEqual(code, 0, output)
        rows = {line.split()[0]: line.split()[3:5] for line in output.splitlines()}
        self.assertEqual(rows[unused["email"]], ["-", "-"])
        self.assertEqual(rows[sender["email"]][1], "-")
        sent = command.moment(rows[sender["email"]][0]) - command.moment(created)
        self.assertLess(abs(sent.total_seconds()), 10)
        self.assertEqual(rows[reader["email"]][0], "-")
        self.assertRegex(rows[reader["email"]][1], r"^\d{4}-.*Z$")

    def test_the_last_uses_of_a_stacks_users_come_from_a_query_of_its_log(self):
        def row(**members):
            return [{"field": name, "value": value} for name, value in members.items()]

        rows = [
            row(user_id="u1", route="POST /api/webhook-events", last="1.795803284759E12"),
            row(user_id="u1", route="POST /api/webhook-events/batch", last="2026-11-27 18:14:44.760"),
            row(user_id="u2", route="GET /api/webhook-events", last="1795803284761"),
        ]
        answers = [{"queryId": "q"}, {"status": "Running", "results": []}, {"status": "Complete", "results": rows}]
        with self.stack(lambda *words: answers.pop(0)):
            self.assertEqual(
                logs.last_uses(command.Stack("prod")),
                {("u1", logs.SENT): "2026-11-27T18:14:44.760Z", ("u2", logs.READ): "2026-11-27T18:14:44.761Z"},
            )
        with self.stack(lambda *words: {"queryId": "q", "status": "Timeout"}):
            with self.assertRaisesRegex(command.Failure, "the query of the log is Timeout"):
                logs.last_uses(command.Stack("prod"))

    def test_wrong_use_says_what_is_right(self):
        reader, _ = new_user("consumer")
        time_words = ("--from", "2026-11-20T12:00:00Z", "--to", "2026-11-20T13:00:00Z")
        for words, expected in (
            (("--from", "2026-11-20T12:00:00Z"), "reads needs --from and --to"),
            (("--from", "2026-11-20T13:00:00Z", "--to", "2026-11-20T13:00:00Z"), "--from must be before --to"),
            ((*time_words, "--file", __file__), "exists: name a new one"),
        ):
            with self.subTest(expected):
                code, output = run("user", "--port", PORT, "reads", reader["email"], *words)
                self.assertEqual((code, expected in output), (2, True), output)
        _, narrow = new_user("consumer", event_types=["a.*"])
        for value, code, expected in (
            ("", 2, "CONSUMER_TOKEN is not set"),
            (token("connector"), 1, "is of a connector"),
            (narrow, 1, "may read only a.*. Take one that may read all"),
        ):
            with self.subTest(expected):
                self.as_reader(value)
                result, output = run("user", "--port", PORT, "reads", reader["email"], *time_words)
                self.assertEqual((result, expected in output), (code, True), output)


if __name__ == "__main__":
    unittest.main()
