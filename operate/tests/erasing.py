"""Events of the local service, for the tests of operate/erase."""
import functools, hashlib, re, unittest, uuid
from operators.api import Api
from running import LOCAL, PORT, run

API = Api(LOCAL.url)
EVENTS = "/api/webhook-events"
LARGEST_BATCH = 100


@functools.lru_cache(None)
def token(role):
    """A token of a new user."""
    user = {"email": f"{uuid.uuid4()}@example.com"}
    LOCAL.invoke("ManageUsersFunction", {**user, "action": "create", "role": role})
    return LOCAL.invoke("ManageUsersFunction", {**user, "action": "issue-static-token"})["token"]["access_token"]


def store(count=1, payload=None, event_type="a.b"):
    """Stores events with the same payload, and returns their ids."""
    event, ids = {"event_type": event_type, "payload": payload or {}}, {}
    keys = [f"{uuid.uuid4()}" for _ in range(count)]
    for _ in range(20):
        missing = [key for key in keys if key not in ids][:LARGEST_BATCH]
        batch = {"events": [{**event, "idempotency_key": key} for key in missing]}
        results = API.send("POST", f"{EVENTS}/batch", batch, token("connector")).json["results"]
        for key, result in zip(missing, results):
            if result["status"] != 503:  # on a busy machine; that event is sent again, as connectors do
                ids[key] = result["event"]["id"]
        if len(ids) == count:
            return [ids[key] for key in keys]
    raise AssertionError(f"{count - len(ids)} of {count} events could not be stored")


def of_brand(brand):
    return {"_meta": {"source": "a", "topic": "b", "brand_id": brand}}


def read(event_id):
    """What a consumer gets for an event."""
    return API.send("GET", f"{EVENTS}/{event_id}", token=token("consumer"))


def erase(*words):
    return run("erase", "--port", PORT, *words)


def proof(output):
    """The members of a printed proof."""
    return dict(re.findall("(?m)^  (.+?) {2,}(.*)$", output))


def chain(*steps):
    """That of a proof whose ledger has these steps."""
    chain = ""
    for ids in steps:
        chain = hashlib.sha256("\n".join([chain, *sorted(ids), ""]).encode()).hexdigest()
    return chain


class ErasingTest(unittest.TestCase):
    def assert_erased(self, ids, result):
        """The run erased these events and no others, and proved it."""
        code, output = result
        self.assertEqual(code, 0, output)
        self.assertEqual(proof(output)["count"], str(len(ids)))
        if len(ids) <= LARGEST_BATCH:
            self.assertIn(proof(output)["chain"], [chain(ids), chain(ids, [])])  # and the feed's step, of a brand
        self.assertEqual({read(id).status for id in ids}, {410})
