"""Erases events again on a restored table, with the AWS CLI and the operator's own rights."""
import json, os, random, time
from datetime import datetime, timedelta, timezone
from operators.command import Failure, LocalServe, aws, moment

ENDPOINTS = {"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB"}
READS, WRITES = 100, 25  # the most items of BatchGetItem and of BatchWriteItem
PAUSES = (0, 0.5, 1, 2, 4, 8, 16, 32)  # in seconds, before each try to process the rest of a batch
LANES = 8  # as the service: the partitions of the index of all events
WITHOUT_KEY = timedelta(days=35)  # as the service: how long the tombstone of an event without a key is kept


def erase_again(service, erasures, table, progress):
    """Puts tombstones in place of the events of these erasures, and deletes their parts. Returns how many there were."""
    if isinstance(service, LocalServe) and not ENDPOINTS & set(os.environ):
        raise Failure("--again needs the lines `export ...` that local/serve prints; else the AWS CLI calls AWS")
    if table == service.table("EventsTable"):
        raise Failure(f"{table} is the table of the service, not a restored one")
    count = 0
    for erasure in erasures:
        for ids in ledger(service.table("ErasuresTable"), erasure["erasure_id"]):
            for some in chunks(ids, READS):
                count += bury(table, some, erasure)
                progress(f"{count} erased again")
    return count


def ledger(table, erasure_id):
    """The pages of ids that the erasure has selected."""
    page = 1
    while True:
        key = {"id": {"S": f"{erasure_id}#{page}"}}
        words = ("--table-name", table, "--key", json.dumps(key), "--consistent-read", "--output", "json")
        item = json.loads(aws("dynamodb", "get-item", *words) or "{}").get("Item")
        if not item:
            return
        yield [id["S"] for id in item["ids"]["L"]]
        page += 1


def bury(table, ids, erasure):
    """Replaces the events with these ids. First deletes their parts: so an interruption leaves no part behind."""
    heads = [head for head in read(table, ids) if is_due(head, erasure)]
    parts = [
        f"{head['id']['S']}#{part}" for head in heads for part in range(1, int(head.get("parts", {"N": "0"})["N"]) + 1)
    ]
    write(table, [{"DeleteRequest": {"Key": {"id": {"S": part}}}} for part in parts])
    write(table, [{"PutRequest": {"Item": tombstone(head, erasure["erasure_id"])}} for head in heads])
    return len(heads)


def is_due(head, erasure):
    """Whether the item is an event that the erasure has selected.

    An open erasure names expired events too. Their keys are free, so a newer event may have such an id.
    """
    return "erased_at" not in head and moment(head["created_at"]["S"]) < moment(erasure["begun"])


def tombstone(head, erasure_id):
    now = datetime.now(timezone.utc)
    erased_at = {"S": now.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"}
    item = {
        "id": head["id"],
        "created_at": erased_at,
        "lane": {"S": str(random.randrange(LANES))},
        "erased_at": erased_at,
        "erasure_id": {"S": erasure_id},
    }
    if "request" not in head:
        item["expires_at"] = {"N": str(int((now + WITHOUT_KEY).timestamp()))}
    return item


def read(table, ids):
    """What is needed of the items that exist."""
    wanted = {
        "Keys": [{"id": {"S": id}} for id in ids],
        "ConsistentRead": True,
        "ProjectionExpression": "id, created_at, #parts, #request, erased_at",
        "ExpressionAttributeNames": {"#parts": "parts", "#request": "request"},  # reserved words
    }
    answers = batch("batch-get-item", "UnprocessedKeys", {table: wanted})
    return [item for answer in answers for item in answer["Responses"].get(table, [])]


def write(table, requests):
    for some in chunks(requests, WRITES):
        batch("batch-write-item", "UnprocessedItems", {table: some})


def batch(operation, unprocessed, items):
    """Runs a batch operation until it leaves nothing unprocessed, and returns its answers."""
    answers = []
    for pause in PAUSES:
        time.sleep(pause)
        words = ("--request-items", "file:///dev/stdin", "--output", "json")
        answers.append(json.loads(aws("dynamodb", operation, *words, stdin=json.dumps(items)) or "{}"))
        items = answers[-1].get(unprocessed)
        if not items:
            return answers
    raise Failure(f"{operation} leaves items unprocessed; run the same command again")


def chunks(items, size):
    return [items[start : start + size] for start in range(0, len(items), size)]
