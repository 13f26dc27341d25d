"""Reads events from a copy of the events table, such as a restored one: docs/reading-events.md#the-tables.

An item is as DynamoDB writes it in JSON, such as {"id": {"S": "019a…"}}.
"""
import base64, gzip, json, time, uuid, zlib
from datetime import datetime, timezone
from operators.command import Failure
from operators.consumer import LINE_BREAKS

MOST_KEYS = 100  # of a BatchGetItem
PAUSES = (1, 2, 4, 8, 16)  # in seconds, until what DynamoDB has not read is asked again
FIELDS = {  # what a connector says of its delivery
    **{"connector_installation_id": int, "status": str, "response": str},
    **{"attempts": int, "sent_at": str, "next_retry_at": str},
}
HEAD = "id, user_id, brand_key, created_at, expires_at, erased_at"


class Copy:
    def __init__(self, service, table):
        self.service, self.table = service, table

    def heads(self, ids):
        """Yields the first items of these events, as far as the copy has them, without their payloads."""
        for some in chunks(ids):
            yield from self.items(some, {"ProjectionExpression": HEAD}).values()

    def events(self, ids):
        """Yields the id of each event, its fields and its payload. Both are None if the copy does not have all of it."""
        for some in chunks(ids):
            items = self.items(some)
            for id in some:
                item = items.get(id, {"id": {"S": id}})
                text = self.payload(item)
                yield id, None if text is None else fields(item), text

    def all(self):
        """Yields the first items of all events that are not past their retention."""
        words = ["--table-name", self.table, "--filter-expression", "attribute_exists(event_type)"]
        place, now = [], datetime.now(timezone.utc)
        while place is not None:
            answer = self.service.call("dynamodb", "scan", "--no-paginate", *words, *place)
            yield from (item for item in answer["Items"] if not is_expired(item, now))
            last = answer.get("LastEvaluatedKey")
            place = ["--exclusive-start-key", json.dumps(last)] if last else None

    def payload(self, item):
        """The bytes of the payload of an event's first item; None if the copy does not have all of it."""
        return payload(item, self.items(part_ids(item)))

    def items(self, ids, options=()):
        """The items with these ids, by their ids."""
        found, pauses = {}, iter(PAUSES)
        asked = {self.table: {**dict(options), "Keys": [{"id": {"S": id}} for id in ids]}} if ids else {}
        while asked:
            answer = self.service.call("dynamodb", "batch-get-item", "--request-items", json.dumps(asked))
            read = answer["Responses"].get(self.table, [])
            found.update((item["id"]["S"], item) for item in read)
            asked = answer.get("UnprocessedKeys")
            if asked and not read:
                pause = next(pauses, None)
                if pause is None:
                    raise Failure(f"DynamoDB does not read {self.table}: it may be throttled")
                time.sleep(pause)
        return found


def chunks(ids):
    return (ids[at : at + MOST_KEYS] for at in range(0, len(ids), MOST_KEYS))


def is_expired(item, now):
    return "expires_at" in item and int(item["expires_at"]["N"]) <= now.timestamp()


def user_id(item):
    return str(uuid.UUID(bytes=base64.b64decode(item["user_id"]["B"])))


def brand(item):
    """The brand under which the index has the event, or None."""
    return item["brand_key"]["S"].rpartition("#")[0] if "brand_key" in item else None


def fields(item):
    """The members of the event as a connector sends it, but for its payload."""
    there = {name: kind(next(iter(item[name].values()))) for name, kind in FIELDS.items() if name in item}
    return {"event_type": item["event_type"]["S"], **there}


def part_ids(item):
    return [f"{item['id']['S']}#{number}" for number in range(1, int(item.get("parts", {"N": 0})["N"]) + 1)]


def payload(item, parts):
    """The bytes of the payload's text, of an event's first item and its parts by their ids; None if it is not whole."""
    try:
        if "S" in item["payload"]:
            return item["payload"]["S"].encode()
        stored = [item["payload"]["B"], *(parts[id]["payload"]["B"] for id in part_ids(item))]
        return gzip.decompress(b"".join(map(base64.b64decode, stored)))
    except (LookupError, OSError, EOFError, zlib.error):
        return None


def line_of(item, payload):
    """An event as a line of JSON, with the members that a consumer reads."""
    head = {"id": item["id"]["S"], "created_at": item["created_at"]["S"], "user_id": user_id(item), **fields(item)}
    return json.dumps(head)[:-1].encode() + b', "payload": ' + payload.translate(LINE_BREAKS) + b"}\n"
