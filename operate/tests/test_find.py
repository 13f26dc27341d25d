"""Tests operate/find: what it finds and writes, for whom, and its exit codes."""
import contextlib, json, os, stat, tempfile, unittest, uuid
from http.client import HTTPConnection
from pathlib import Path
from unittest.mock import patch
from erasing import EVENTS, erase, of_brand, read, store, token
from operators import command
from running import LOCAL, PORT, answering, run
from test_resend import PAST, copied


def store_text(payload, members=""):
    """Stores an event with this payload. Without Content-Type, a body may have more quotes than its answer."""
    connection = HTTPConnection("127.0.0.1", int(PORT))
    with contextlib.closing(connection):
        body = '{"event_type":"a.b","payload":' + payload + members + "}"
        connection.request("POST", EVENTS, body, {"Authorization": f"Bearer {token('connector')}"})
        assert connection.getresponse().status == 201


class FindTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.file = folder.name, os.path.join(folder.name, "zoe.jsonl")
        self.address = f"zoe.{uuid.uuid4()}@example.com"
        self.set_token(token("consumer"))

    def set_token(self, value):
        setting = patch.dict(os.environ, CONSUMER_TOKEN=value)
        setting.start()
        self.addCleanup(setting.stop)

    def find(self, *words):
        return run("find", "--port", PORT, "--file", self.file, *words)

    def written(self):
        with open(self.file, "rb") as file:
            return file.read().splitlines()

    def assert_no_file(self):
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_events_are_written_whole_for_their_owner_alone(self):
        [plain] = store(1, {"customer": {"email": self.address.upper()}, "n": 1.50})
        [text] = store(1, {"text": f"ask {self.address}, please"})
        store(1, {self.address: "a name of a member"})
        store_text("{}", f',"response":"{self.address}"')

        code, output = self.find(f" {self.address} ")

        self.assertEqual(code, 0, output)
        events = {json.loads(line)["id"]: json.loads(line) for line in self.written()}
        self.assertEqual(events.keys(), {plain, text})
        self.assertEqual(events[text]["payload"]["text"], f"ask {self.address}, please")
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        self.assertEqual(os.listdir(self.folder), ["zoe.jsonl"])
        self.assertRegex(output, r"a\.b +/customer/email +1\n")
        self.assertRegex(output, r"\n2 events found, of \d+ events searched\. The search took [\d,]+ read units\.\n")
        self.assertIn(f"2 events written to {self.file}.\n", output)

    def test_a_name_that_a_sender_chose_does_not_command_the_terminal(self):
        store(1, {"\x1b[2J\n\u202e": self.address})

        code, output = self.find(self.address)

        self.assertEqual(code, 0, output)
        self.assertIn(r"/\u001b[2J\u000a\u202e", output)
        self.assertNotIn("\x1b", output)

    def test_a_payload_is_as_it_was_sent_but_for_line_breaks(self):
        payload = '{"a" :1.50,\r\n "n":12345678901234567890.10, "t":"' + self.address + '\\n\\u00eb","_meta":{}}'
        store_text(payload)

        self.assertEqual(self.find(self.address)[0], 0)

        [line] = self.written()
        self.assertTrue(line.endswith(b'"payload":' + payload.replace("\r\n", "  ").encode() + b"}"), line)

    def test_an_event_that_comes_only_compressed_is_read_too(self):
        payload = '{"quotes":"' + 1_600_000 * '\\"' + '","to":"' + self.address + '","_meta":{}}'
        store_text(payload)

        code, output = self.find(self.address)

        self.assertEqual(code, 0, output)
        [line] = self.written()
        self.assertTrue(line.endswith(payload.encode() + b"}"))

    def test_a_brand_a_time_and_places_limit_the_search(self):
        brand, other = (f"{uuid.uuid4()}.example.com" for _ in range(2))
        [mine], [number], _ = (
            store(1, {**of_brand(brand), "to": self.address}),
            store(1, {**of_brand(brand), "id": 55}),
            store(1, {**of_brand(other), "to": self.address}),
        )
        for options, expected in (
            ((self.address,), {mine}),
            ((self.address, "--where", "/id=55"), {mine, number}),
            (("--where", "/id=55"), {number}),
            ((self.address, "--from", "2026-01-01T00:00:00Z", "--to", "2999-01-01T00:00:00+02:00"), {mine}),
        ):
            with self.subTest(options):
                code, output = self.find("--brand", brand, *options)

                self.assertEqual(code, 0, output)
                self.assertEqual({json.loads(line)["id"] for line in self.written()}, expected)
                self.assertIn("of 2 events searched.", output)
                os.remove(self.file)
        code, output = self.find("--brand", brand, "--to", "2026-01-01T00:00:00Z", self.address)
        self.assertEqual(code, 3, output)
        self.assertIn("No event found, of 0 events searched.", output)
        self.assert_no_file()

    def test_what_would_have_matched_is_hinted_at(self):
        brand = f"{uuid.uuid4()}.example.com"
        store(1, {**of_brand(brand), "id": "55"})

        code, output = self.find("--brand", brand, "--where", "/id=55.0")

        self.assertEqual((code, "\n  Hint: an event has it as" in output), (3, True), output)

    def test_an_event_that_the_user_may_not_read_is_named(self):
        [id] = store(1, {"to": self.address})
        user = {"email": f"{uuid.uuid4()}@example.com"}
        LOCAL.invoke(
            "ManageUsersFunction", {**user, "action": "create", "role": "consumer", "event_types": ["other.*"]}
        )
        issued = LOCAL.invoke("ManageUsersFunction", {**user, "action": "issue-static-token"})
        self.set_token(issued["token"]["access_token"])

        code, output = self.find(self.address)

        self.assertEqual(code, 4, output)
        self.assertIn("The user of CONSUMER_TOKEN may read only other.*.", output)
        self.assertIn(f"1 event not read, out of the user's scope or expired:\n  {id}\n", output)

    def test_an_erased_event_is_left_out(self):
        [kept], [erased] = store(1, {"to": self.address}), store(1, {"to": self.address})
        erase("--yes", "--ids", erased)
        answering(self, {"ids": [kept, erased], "searched": 2, "read_units": 1.5, "complete": False})

        code, output = self.find(self.address)

        self.assertEqual(code, 0, output)
        self.assertEqual([json.loads(line)["id"] for line in self.written()], [kept])
        self.assertIn("1 event written", output)

    def test_an_event_that_could_not_be_judged_is_named(self):
        id = str(uuid.uuid4())
        answering(self, {"ids": [], "not_judged": [id], "searched": 1, "read_units": 1, "complete": False})

        code, output = self.find(self.address)

        self.assertEqual(code, 4, output)
        self.assertIn(id, output)

    def test_a_token_that_cannot_read_ends_it_before_it_searches(self):
        calls = answering(self)
        for value, expected in (("x.y.z", "401 invalid_token"), (token("connector"), "a connector")):
            with self.subTest(expected):
                self.set_token(value)
                code, output = self.find(self.address)

                self.assertEqual(code, 1, output)
                self.assertIn(expected, output)
        self.assertEqual(calls, [])
        self.assert_no_file()

    def test_a_file_that_cannot_be_written_is_named_before_the_search(self):
        store(1, {"to": self.address})
        self.file = os.path.join(self.folder, "none", "zoe.jsonl")

        code, output = self.find(self.address)

        self.assertEqual((code, output.splitlines()[-1:]), (1, output.splitlines()))  # before the search says anything
        self.assertIn("zoe.jsonl.part: No such file or directory", output)

    def test_a_part_that_was_there_before_stays_as_it_is(self):
        part = Path(f"{self.file}.part")
        part.write_text("another's")

        code, output = self.find(self.address)

        self.assertEqual(code, 1, output)
        self.assertIn("zoe.jsonl.part exists: another run writes it, or was killed. Delete it, or name", output)
        self.assertEqual(part.read_text(), "another's")

    def test_a_copy_of_the_table_is_searched_as_the_table_is(self):
        brand = f"{uuid.uuid4()}.example.com"
        payloads = (
            {"a": "Zoë Straße", "n": 1.50, "list": [{"id": 55}, {"id": "55"}]},
            {"a": "ZOE\u0308 STRASSE", "n": True, "list": {"*": {"id": 55}}, "/": {"~": "x"}},
            {"a": "ΟΔΟΣ", "n": None, "list": [[55]], "": "x"},
            {"a": "ask zoë straße, please", "n": "1.5", "list": [{"id": 55.0}]},
            {"zoë straße": 1, "n": 12345678901234567890, "a": ["zoë straße"]},
        )
        ids = [store(1, {**payload, **of_brand(brand)})[0] for payload in payloads]
        copy = [copied(id, brand) for id in ids] + [copied(id, f"{brand}#other") for id in store(1, payloads[0])]
        for where in (
            ("zoë strasse",),
            *(("--where", each) for each in ("/n=1.5", "/n=true", "/n=null", '/n="1.5"', "/list/*/id=55")),
            *(("--where", each) for each in ("/list/0/id=55", "/~1/~0=x", "/=x", "/list/0/0=55", "/a/0=zoë straße")),
            *(("--where-ignoring-case", each) for each in ("/a=zoë straße", "/a=οδος", "/a=οδοσ")),
            ("--where-containing", "/a=STRASSE"),
        ):
            with self.subTest(where):
                output = self.find("--brand", brand, *where)[1]
                live = self.written() if os.path.exists(self.file) else []
                found = self.find_in(copy, "--brand", brand, *where)[1]
                self.assertEqual({line["id"] for line in found}, {json.loads(each)["id"] for each in live}, output)

    def find_in(self, items, *words):
        """Searches in a copy with these items, which a call gives two by two. Returns the exit code and the events."""
        items, path = sorted(items, key=lambda item: item["id"]["S"]), f"{self.file}.copy"

        def aws(*words, **_):
            if words[1] == "batch-get-item":
                return json.dumps({"Responses": {}})
            key = "--exclusive-start-key"
            begin = json.loads(words[words.index(key) + 1]) if key in words else 0
            last = {"LastEvaluatedKey": begin + 2} if begin + 2 < len(items) else {}
            return json.dumps({"Items": items[begin : begin + 2], **last})

        with patch.object(command, "aws", aws), patch.dict(os.environ, CONSUMER_TOKEN=""):
            code, self.output = run("find", "--port", PORT, "--file", path, "--in", "events-restored", *words)
        lines = Path(path).read_bytes().splitlines() if os.path.exists(path) else []
        for file in (path, self.file):
            Path(file).unlink(missing_ok=True)
        return code, [json.loads(line) for line in lines]

    def test_of_a_copy_what_is_expired_is_left_out_and_what_is_not_whole_is_named(self):
        whole, expired, torn = store(3, {"to": self.address})
        items = [copied(whole), copied(expired, expires_at=PAST), copied(torn, payload={"B": ""}, parts={"N": "1"})]

        code, found = self.find_in(items, self.address)

        self.assertEqual((code, [line["id"] for line in found]), (4, [whole]), self.output)
        self.assertEqual(found[0], {name: read(whole).json[name] for name in found[0]})
        self.assertIn(f"1 event found, of 2 events of events-restored searched.\n", self.output)
        self.assertIn(f"  {torn}\n", self.output)
        self.assertEqual(self.find_in(items[:1], "no such text")[0], 3)

    def test_wrong_use_says_what_is_right(self):
        with open(os.path.join(self.folder, "there"), "w"):
            pass
        there = os.path.join(self.folder, "there")
        for words, expected in (
            ((), "Usage: operate/find"),
            (("--file", self.file), "a text to look for is necessary"),
            (("--file", self.file, "zo"), "TEXT needs a text of 3 to 255 characters: 'zo'"),
            (("zoe@example.com",), "--file is necessary"),
            (("--file", there, "zoe@example.com"), "exists: name a new one"),
            (("--file", self.file, "zoe@example.com", "--to", "2026"), "--to needs a time"),
            (("--file", self.file, *[f"zoe{i}@example.com" for i in range(11)]), "11 conditions, and 10 are the most"),
            (("--file", self.file, "zoe", "--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z"), "/to"),
        ):
            with self.subTest(expected):
                code, output = run("find", "--port", PORT, *words) if words else run("find")

                self.assertEqual(code, 2, output)
                self.assertIn(expected, output)
        self.set_token("")
        code, output = self.find(self.address)
        self.assertEqual(code, 2, output)
        self.assertIn("CONSUMER_TOKEN is not set", output)
