"""Tests operate/types: what it counts and shows, the shapes that it keeps, and which changes it finds."""
import contextlib, copy, os, random, sqlite3, tempfile, time, unittest, uuid
from unittest.mock import patch
from erasing import API, EVENTS, store
from operators import screen, shapes
from operators.shapes import Shape
from running import PORT, run
from test_now import lines_of
from test_reads import new_user
from test_rights import only

NIGHTLY = os.environ.get("NIGHTLY") == "true"
VALUES = {"string": "x", "number": 1.5, "boolean": True, "object": {"inner": "x"}, "array": ["x"]}
AT = "2026-11-20T12:00:00.000Z"


class Schema:
    """Events of a type as providers make them: members that may be absent or null, lists, and maps of all kinds."""

    def __init__(self, chance):
        self.chance = chance
        self.members = self.object(3)

    def object(self, depth):
        return {f"member_{number}": self.member(depth) for number in range(self.chance.randint(3, 8))}

    def member(self, depth):
        """Its kind, what is in it, how often it is there, and how often it is null."""
        kind = self.chance.choice(["string", "number", "boolean", "object", "list", "objects", "ids", "free", "words"])
        inner = self.object(depth - 1) if depth else {"x": ("string", None, 1, 0)}
        return kind, inner, self.chance.choice([1, 1, 1, 0.5, 0.2]), self.chance.choice([0, 0, 0.3])

    def value(self, kind, inner):
        chance, several = self.chance, range(self.chance.randint(0, 4))
        if kind in ("string", "number", "boolean"):
            return VALUES[kind]
        if kind == "object":
            return self.payload(inner)
        if kind == "list":
            return ["x" for _ in several]
        if kind == "objects":
            return [self.payload(inner) for _ in several]
        if kind == "ids":
            return {str(chance.randrange(10**12)): self.payload(inner) for _ in several} or []  # as PHP writes none
        if kind == "free":  # what a merchant notes
            of = chance.choices(["string", "number", "boolean"], [6, 3, 1], k=len(several))
            return {f"{chance.randrange(10**6):08}": VALUES[each] for each in of}
        return {"".join(chance.choices("abcdefghijklmnopqrst", k=2)): 1.5 for _ in several}

    def payload(self, members=None):
        return {
            name: None if self.chance.random() < often_null else self.value(kind, inner)
            for name, (kind, inner, often, often_null) in (self.members if members is None else members).items()
            if self.chance.random() < often
        }

    def mutated(self, payload):
        """Gives a random member another type. Returns its path, with * in a map, and the type."""
        places = []

        def walk(members, value, path):
            for name, (kind, inner, _, _) in members.items():
                if value.get(name) not in (None, [], {}):
                    places.append((value, name, path + "/" + name, kind))
                    if kind == "object":
                        walk(inner, value[name], f"{path}/{name}")
                    elif kind in ("objects", "ids"):
                        key, fold = (0, "[]") if kind == "objects" else (min(value[name]), "*")
                        places.append((value[name], key, f"{path}/{name}/{fold}", "object"))
                        walk(inner, value[name][key], f"{path}/{name}/{fold}")

        walk(self.members, payload, "")
        if not places:
            return None
        holder, name, path, kind = self.chance.choice(places)
        own = kind if kind in VALUES else "array" if kind in ("list", "objects") else "object"
        other = self.chance.choice(sorted(VALUES.keys() - {own}))
        holder[name] = VALUES[other]
        return path, other


def add(shape, payload):
    """What has changed: paths and types."""
    return [(path, kind) for path, kind, _ in shape.add({"created_at": AT}, payload)]


def read_so_often(*payloads, times=1):
    shape = Shape()
    for payload in payloads * times:
        add(shape, payload)
    return shape


class ShapeTest(unittest.TestCase):
    def test_changed_types_are_found_and_nothing_else(self):
        chance, false, found, tried = random.Random(97), [], 0, 0
        types, events, mutations = (20, 10_000, 3000) if NIGHTLY else (5, 2000, 300)
        for _ in range(types):
            schema, shape = Schema(chance), Shape()
            for _ in range(events // types):
                false += add(shape, schema.payload())
            for _ in range(mutations // types):
                mutation = None
                while not mutation:
                    payload = schema.payload()
                    mutation = schema.mutated(payload)
                tried += 1
                found += add(copy.deepcopy(shape), payload) == [mutation]
        print(f"{found} of {tried} changed types found, {len(false)} false in {events} events")
        self.assertEqual(tried, mutations)
        self.assertGreaterEqual(found / tried, 0.99)
        self.assertLessEqual(len(false), 1, false)

    def test_null_an_empty_array_and_what_is_new_or_missing_are_no_change(self):
        for before, after in (
            ({"a": None}, {"a": "x"}),
            ({"a": "x"}, {"a": None}),
            ({"a": {}}, {"a": []}),
            ({"a": []}, {"a": {"b": 1.0}}),
            ({"a": [1.0, "x"]}, {"a": ["x", True]}),
            ({"a": "x"}, {"b": {}}),
        ):
            with self.subTest(after):
                self.assertEqual(add(read_so_often(before), after), [])
        for before, after in (({"a": [1.0]}, {"a": "x"}), ({"a": []}, {"a": "x"}), ({"a": {"b": 1.0}}, {"a": ["x"]})):
            with self.subTest(after):
                self.assertEqual([path for path, _ in add(read_so_often(before), after)], ["/a"])

    def test_a_value_of_a_map_may_have_any_type_until_enough_events_had_it(self):
        for times, expected in (1, []), (shapes.LEARNT, [("/a/*", "string")]):
            with self.subTest(times):
                self.assertEqual(add(read_so_often({"a": {"1001": 1.0}}, times=times), {"a": {"1002": "x"}}), expected)

    def test_keys_of_maps_are_folded(self):
        words = {f"{one}{two}": {"n": 1.0} for one in "abcdefghijklmnop" for two in "abcdefghijklmnop"}
        keys = ("zoe@example.com", "0b8f53a1-33aa-4ee5-bc00-9b8de0c5a1ee", "7", "a" * 65)

        shape = read_so_often({"words": words, "ids": {"@id": "x", **dict.fromkeys(keys, 1.0)}, "image_24": "x"})

        paths = {"", "/words", "/words/*", "/words/*/n", "/ids", "/ids/*", "/ids/@id", "/image_24"}
        self.assertEqual(shape.places.keys(), paths)
        self.assertEqual(add(shape, {"words": {"new": {"n": "x"}}}), [("/words/*/n", "string")])

    def test_what_a_sender_makes_up_does_not_fill_the_file(self):
        deep = {}
        for _ in range(900):
            deep = {"x" * 60: deep}

        self.assertLessEqual(len(read_so_often(deep).places), shapes.DEEPEST_PLACE + 1)
        with patch.object(shapes, "MOST_PLACES", 5):
            self.assertEqual(len(read_so_often({name: 1.0 for name in "abcdefghi"}).places), 5)


class TypesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "types.db")
        self.type = f"t{uuid.uuid4().hex}.orders"
        self.user, token = new_user("consumer", event_types=[f"{self.type}*"])
        setting = patch.dict(os.environ, CONSUMER_TOKEN=token)
        setting.start()
        self.addCleanup(setting.stop)

    def store(self, payload, count=1, kind=""):
        """Stores events, and waits until the feed has them."""
        ids = store(count, payload, self.type + kind)
        for _ in range(200):
            query = f"order=asc&limit=1000&event_type={self.type}{kind}"
            page = API.send("GET", f"{EVENTS}?{query}", token=os.environ["CONSUMER_TOKEN"]).json
            if ids[-1] in [entry["id"] for entry in page["events"]]:
                return ids
            time.sleep(0.1)
        raise AssertionError("the events have no position")

    def types(self, *words, code=0):
        result, output = run("types", "--port", PORT, self.file, *words)
        self.assertEqual(result, code, output)
        return output

    def test_it_shows_who_sends_and_reads_what_and_goes_on_from_there(self):
        id = self.store({"total": 12.5, "secret": "zoe"}, 3)[0]
        self.store({"q": '\\"payload":' * 100}, kind="/large")

        with patch.object(screen, "MOST", 10_000):
            first, second = self.types(), self.types()

        at = r"20\S+Z"
        size = len(API.send("GET", f"{EVENTS}/{id}/payload", token=os.environ["CONSUMER_TOKEN"]).body)
        pattern = rf"{self.type} +3 +{at} +{at} +{size} +{size} +\S+@example\.com +.*{self.user['email']}"
        self.assertRegex(first.replace("\n", " "), rf"{self.type}/large +1 ")
        for output, count in (first, "4 events"), (second, "0 events"):
            self.assertIn(f"  read       {count}, up to ", output)
            self.assertRegex(output, pattern)
        self.assertNotIn(f"{self.type}  ", self.types("--to", "2026-01-01"))
        for pattern in self.type, f"{self.type[:-1]}*":
            self.assertRegex(self.types(pattern), rf"\n/total +number +{at} +{at} +3\n")
        with open(self.file, "rb") as file:
            self.assertNotIn(b"zoe", file.read())
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)

    def test_a_member_that_changed_its_type_rings_once(self):
        self.store({"total": 12.5, "gone": "x"}, 2)
        self.types()
        [id] = self.store({"total": "12.50", "new": {"inner": 1}})

        changed, again = self.types(code=3), self.types()

        line = rf"changed    {self.type} /total is string in the event {id} of 20\S+Z, and was number before\. See"
        self.assertRegex(lines_of(changed, "!")[0], f"^{line}")
        self.assertEqual(len(lines_of(changed, "!")), 1, changed)
        for listed in f"new        {self.type} /new", f"missing    {self.type} /gone":
            self.assertIn(f"\n  {listed}\n", changed)
        self.assertEqual(lines_of(again, "!"), [])
        self.assertRegex(self.types(self.type), r"\n/total +number +.*2\n/total +string +.*1\n")
        now = [run("now", "--port", PORT, "--types", file)[1] for file in (self.file, self.file + "x")]
        self.assertIn(f"! {lines_of(changed, '!')[0]}\n", now[0])
        self.assertRegex(now[0], r"\n  types      1 types of events, which operate/types read \d+ s ago\n")
        self.assertIn("\n? types      ", now[1])

    def test_a_run_that_ends_early_loses_and_doubles_nothing(self):
        self.store({"total": 12.5}, 5)
        stored, pages = shapes.Flow.store, []

        def store_two(*words):
            if len(pages) == 2:
                raise KeyboardInterrupt
            pages.append(stored(*words))

        with patch.object(shapes, "LARGEST_PAGE", 2):
            with patch.object(shapes.Flow, "store", store_two):
                self.types(code=1)
            output = self.types()

        self.assertRegex(output, rf"{self.type} +5 ")

    def test_of_two_runs_on_a_file_one_ends(self):
        one, two = (shapes.Flow(self.file) for _ in range(2))
        for flow in one, two:
            self.addCleanup(flow.database.close)
        with one.database:
            one.store("x-1")
        with self.assertRaisesRegex(shapes.Failure, "another run uses"), two.database:
            two.store("x-1")

    def test_a_file_of_somebody_else_stays_as_it_is(self):
        file = tempfile.NamedTemporaryFile()
        self.addCleanup(file.close)
        with contextlib.closing(sqlite3.connect(file.name)) as database:  # a consumer's
            database.executescript(
                "CREATE TABLE events (id); CREATE TABLE place (number INTEGER PRIMARY KEY, next);"
                "INSERT INTO place VALUES (1, NULL)"
            )
            before = list(database.iterdump())
            with self.assertRaisesRegex(sqlite3.Error, "somebody else's file"):
                shapes.Flow(file.name)
            self.assertEqual(list(database.iterdump()), before)

    def test_on_a_stack_it_needs_no_function_and_says_what_it_lacks(self):
        self.store({"total": 12.5})
        with only(set()):
            code, output = run("types", "--stack", "prod", self.file)

        self.assertEqual(code, 0, output)
        self.assertRegex(output, rf"{self.type} +1 .* +[0-9a-f-]{{36}} +\?\n")
        self.assertIn("\n? users      ManageUsersFunction failed: AccessDenied\n", "\n" + output)

    def test_wrong_use_ends_with_one_sentence(self):
        self.types()
        for words, code, sentence in (
            ((), 2, "Usage: operate/types"),
            ((self.file, "--from", "yesterday"), 2, "--from needs a day such as 2026-11-20"),
            ((self.file, "none.such"), 1, "no event of the type none.such was read"),
            ((__file__,), 1, "test_types.py: file is not a database"),
            (("/nowhere/file",), 1, "/nowhere/file: unable to open database file"),
        ):
            with self.subTest(words):
                result, output = run("types", "--port", PORT, *words)
                self.assertEqual(result, code, output)
                self.assertIn(sentence, output)


if __name__ == "__main__":
    unittest.main()
