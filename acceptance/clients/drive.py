"""Takes each step with the client that openapi-generator makes, and prints what it read.

Options: -g python. It does not keep the members' order of a payload.
"""
import json
import os

from openapi_client import ApiClient, ApiException, AuthenticationApi, Configuration, EventsApi
from openapi_client import EventToStore, EventToStorePayload, Keys, Login, NewBatch

ABSENT = "00000000-0000-4000-8000-000000000000"


def client(token=None):
    return ApiClient(Configuration(host=os.environ["API_URL"], access_token=token))


def token(email):
    login = Login(email=email, password=os.environ["PASSWORD"])
    return AuthenticationApi(client()).login(login).access_token


def event(key, payload):
    return EventToStore(
        idempotency_key=key, event_type="shopify.orders/create", payload=EventToStorePayload.from_json(payload)
    )


def refused(call):
    try:
        call()
        return "nothing"
    except ApiException as e:  # its data has the type that the document names
        return f"{e.status} {e.data.code or e.data.message}"


def too_often():
    for _ in range(20):
        if not refused(lambda: token("python@example.com")).startswith("401 "):
            break
    token("python@example.com")


sent = os.environ["PAYLOAD"]
connector = AuthenticationApi(client(token(os.environ["CONNECTOR"]))).refresh().access_token
events = EventsApi(client(connector))
reader = EventsApi(client(token(os.environ["CONSUMER"])))

print("role", AuthenticationApi(client(connector)).get_current_user().role)

created = events.create_webhook_event(event("python-1", sent))
print("created", str(created.event_type == "shopify.orders/create").lower())

batch = NewBatch(events=[event("python-1", sent), event("python-1", "{}"), event("python-2", "{}")])
results = [
    f"{result.status} {result.problem.code}" if result.problem else f"replayed {str(result.replayed).lower()}"
    for result in events.create_webhook_events(batch).results
]
print("batch", ", ".join(results))

print("missing", ",".join(events.find_missing_webhook_events(Keys(idempotency_keys=["python-2", "absent"])).missing))

newest = reader.list_webhook_events(event_type="a.b", limit=3, include="payload")
print("newest", ",".join(str(entry.payload.additional_properties["n"]) for entry in newest.events))

read = erased = pages = 0
cursor, more = "0", True
while more:
    page = reader.list_webhook_events(event_type="a.b", order="asc", include="erasures", limit=2, cursor=cursor)
    for entry in page.events:
        if entry.erased_at:
            erased += 1
        else:
            read += 1
    cursor, more = page.next, page.more
    pages += 1
print(f"feed {read} events, {erased} erasure, {pages} pages")

expected = json.loads(sent)
print("by id", str(reader.get_webhook_event(str(created.id)).payload.to_dict() == expected).lower())
print("payload", str(reader.get_webhook_event_payload(str(created.id)).to_dict() == expected).lower())

print(refused(lambda: token("nobody@example.com")))
print(refused(lambda: AuthenticationApi(client("x")).get_current_user()))
print(refused(lambda: reader.create_webhook_event(event("python-3", "{}"))))
print(refused(lambda: reader.get_webhook_event(ABSENT)))
print(refused(lambda: reader.get_webhook_event(os.environ["ERASED"])))
print(refused(lambda: events.create_webhook_event(event("python-4", json.dumps({"n": 11_000_000 * "n"})))))
print(refused(lambda: reader.list_webhook_events(order="asc", cursor="00000000-1")))
print(refused(lambda: events.create_webhook_event(event("python-1", "{}"))))
print(refused(too_often))
print(refused(lambda: token("unlucky@example.com")))
