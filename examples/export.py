"""Writes a day of the feed into FOLDER/DAY.json: python3 export.py 2026-11-20 FOLDER

An array of entries, each event with its payload, also a large one. Python 3.9 or newer, no packages. Run it for each day,
in UTC; the first file begins with the feed. Settings: API_URL and CONSUMER_TOKEN. docs/reading-events.md explains.
"""
import datetime, fcntl, gzip, json, os, sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

sys.setrecursionlimit(2_000)  # for payloads with 1,000 levels
DECODER = json.JSONDecoder(parse_int=str, parse_float=str)

def get(path):
    headers = {"Authorization": f"Bearer {os.environ['CONSUMER_TOKEN']}", "Accept-Encoding": "gzip"}
    with urlopen(Request(os.environ["API_URL"] + path, headers=headers), timeout=30) as answer:
        body = answer.read()
        return gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body

def page(**query):
    return get(f"/api/webhook-events?{urlencode({'order': 'asc', 'limit': 1000, **query})}").decode()

def entries(cursor, until):
    while cursor != until:
        text = page(include="payload,erasures", cursor=cursor, until=until)
        place = text.index("[") + 1
        while text[place] != "]":
            entry, after = DECODER.raw_decode(text, place)
            yield entry, text[place:after]  # the payload's exact text
            place = after + (text[after] == ",")
        cursor = DECODER.decode(text)["next"]

def large_payload(entry):
    try:
        return b',"payload":' + get(entry["payload_at"]) if "payload_at" in entry else b""
    except HTTPError as error:
        if error.code not in (404, 410):
            raise
        return b""  # it has gone since its page was made

day, folder = sys.argv[1:]
begin, minute = datetime.datetime.fromisoformat(day), datetime.timedelta(minutes=1)
early, end, late = (f"{begin + count * minute:%FT%T.000Z}" for count in (-1, 1440, 1441))
file, place = f"{folder}/{day}.json", f"{folder}/place"
os.makedirs(folder, exist_ok=True)
lock = open(f"{folder}/lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)  # ends with this process, also by a kill
done, _, cursor = open(place).read().rpartition(" ") if os.path.exists(place) else ("", "", "0")
if day <= done:
    sys.exit(None if day == done else f"{place} is past {day} already")
head = DECODER.decode(page(**{"from": "9999-12-31T00:00:00Z"}))
if head.get("whole_since", "") > early or head.get("whole_until", "") < late:
    sys.exit(f"{day} is not whole yet")
with open(f"{file}.new", "wb") as out:
    between = b"["
    for entry, text in entries(cursor, head["next"]):
        if entry["numbered_at"] >= end:
            break
        out.write(between + text[:-1].encode() + large_payload(entry) + b"}")
        between, cursor = b",\n", f"{head['next'].partition('-')[0]}-{entry['position']}"
    else:
        cursor = head["next"]
    out.write(b"[]" if between == b"[" else b"]")
with open(f"{place}.new", "w") as out:
    out.write(f"{day} {cursor}")
os.replace(f"{file}.new", file)
os.replace(f"{place}.new", place)
