"""Prints the events of an export of EventsTable to S3. Python 3.9 or newer, no packages.

exported.py FOLDER FROM TO    prints a JSON object a line for each event that was created from the one time until before
                              the other, such as 2026-11-01: its id, created_at, event_type, and the payload's exact text

FOLDER has the export's files, full or incremental, which docs/operating.md#export-events-to-s3 gets. An event that two
exports have is printed twice. It keeps in memory what continues large payloads, and nothing else.
"""
import base64, glob, gzip, json, os, sys


def items(folder):
    for name in glob.glob(os.path.join(folder, "**/*.gz"), recursive=True):
        with gzip.open(name, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                yield record.get("Item") or record.get("NewImage") or {}


def main(folder, since, until):
    parts = {}
    for item in items(folder):
        if "#" in item.get("id", {}).get("S", "") and "payload" in item:
            parts[item["id"]["S"]] = item["payload"]["B"]
    for item in items(folder):
        if "event_type" not in item or not since <= item["created_at"]["S"] < until:
            continue  # a part, a mark, a tombstone, a deletion, or another time
        id, payload = item["id"]["S"], item["payload"]
        if "B" in payload:
            count = int(item.get("parts", {"N": 0})["N"])
            stored = [payload["B"]] + [parts.get(f"{id}#{number}") for number in range(1, count + 1)]
            if None in stored:
                continue  # an expired event, which DynamoDB was deleting
            payload = {"S": gzip.decompress(b"".join(map(base64.b64decode, stored))).decode()}
        event = {name: item[name]["S"] for name in ("id", "created_at", "event_type")}
        print(json.dumps({**event, "payload": payload["S"]}))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("Usage: exported.py FOLDER FROM TO")
    main(*sys.argv[1:])
