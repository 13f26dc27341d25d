"""What the functions have logged, and API Gateway: of a stack in CloudWatch Logs, of local/serve on its port.

Questions are in the language of CloudWatch Logs Insights, which answers them for a stack. For local/serve this file
does: it needs only the few words of the language that the questions use.
"""
import functools, json, re, time
from datetime import datetime, timedelta, timezone
from operators.command import Failure, Stack, moment, progress, say

FUNCTIONS, ACCESS = "functions", "access"  # the two logs: docs/operating.md#read-the-log
READ, SENT = "read", "sent"
# Who has used the API for what: sent an event that is stored, or asked for events. As `use_of`, in Logs Insights.
USES = (
    "filter ispresent(user_id) and status < 400"
    " and (stored > 0 or replayed > 0 or ispresent(event_id) or route like /^GET .*webhook-events/)"
    " | stats max(@timestamp) as last by user_id, route | limit 10000"
)
TERM = re.compile(r'(not )?ispresent\(`?(\w+)`?\)|(@?\w+) (>=|<=|>|=|!=|like|in) (.*)')
FIGURE = re.compile(r"(sum|count|latest|max|min)\(([\w*@]+)\) as (\w+)")
WORD = re.compile(r'(?: = |\[|, )"([\w.:-]+)"')  # of which a line has one: most others need not be parsed
NO_ACCESS = "local/serve has no access log; its own lines show each request, those with a 429 too"
BEGINNING = datetime.fromtimestamp(0, timezone.utc)  # of all
PAUSE, LONGEST = 1, 300  # in seconds
MOST = 10_000  # rows of a query
PRICE = 0.005  # in $ for each GB that a query reads: https://aws.amazon.com/cloudwatch/pricing/


def text(milliseconds):
    """A time in milliseconds since 1970, as the service writes it."""
    seconds = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    return f"{seconds:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


def milliseconds(moment):
    return round(moment.timestamp() * 1000)


def lines(target, begin, end, pattern="", kept=lambda line: True, words=("",)):
    """The lines from a time, included, to another one, excluded, each with its time; the oldest first.

    `pattern` lets CloudWatch leave out most of the others, and of local/serve a line has one of `words`; `kept` decides.
    """
    first, last = milliseconds(begin), milliseconds(end)
    messages = of_stack(target, first, last, pattern) if isinstance(target, Stack) else of_local(target, first, last, words)
    found = [(at, line_of(message)) for at, message in messages if first <= at < last]
    return [(text(at), line) for at, line in sorted(found, key=lambda each: each[0]) if line and kept(line)]


def of_stack(target, first, last, pattern):
    found = target.call(
        *("logs", "filter-log-events", "--log-group-name", target.output("FunctionLogsName")),
        *("--start-time", str(first), "--end-time", str(last), "--filter-pattern", pattern),
    )
    return [(event["timestamp"], event["message"]) for event in found["events"]]


def of_local(target, first, last, words):
    for line in target.request("GET", f"/_log?from={first}&to={last}").decode().splitlines():
        if any(word in line for word in words):
            at, _, message = line.partition(" ")
            yield int(at), json.loads(message)


def line_of(message):
    """The members of a line, or None if Lambda itself has logged it."""
    try:
        line = json.loads(message)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def days_kept(target):
    """How many days the log of a stack goes back. Of local/serve, it goes back to its beginning."""
    return int(target.parameters["LogRetentionDays"]) if isinstance(target, Stack) else None


def known_since(target):
    """From when on the log knows all."""
    days = days_kept(target)
    return datetime.now(timezone.utc) - timedelta(days=days) if days else BEGINNING


def warn_of_loss(target, begin):
    """Says if the log does not go back so far."""
    kept = known_since(target)
    if begin < kept:
        days = f"{days_kept(target)} days (LogRetentionDays)"
        say(f"The log is kept for {days}. What is older than {kept:%Y-%m-%dT%H:%MZ} is not known.")


def ask(target, log, query, since):
    """Begins to answer a question about the time since then. Returns a function that waits for the rows.

    A row has texts. A member that no line of the row has is absent: AWS does not say whether a sum of none is.
    """
    now = datetime.now(timezone.utc)
    if isinstance(target, Stack):
        return insights(target, group_of(target, log), query, since, now)
    if log == ACCESS:
        raise Failure(NO_ACCESS)
    return lambda: answer(query, lines(target, since, now))


def newest(target, where, since, count, until=None, log=FUNCTIONS):
    """As `ask`, but for the newest lines of a filter, whole and with their times; the newest first."""
    until = until or datetime.now(timezone.utc)
    if not isinstance(target, Stack):
        if log == ACCESS:
            raise Failure(NO_ACCESS)
        words = [word for part in where.split(" or ") for word in WORD.findall(part) or [""]]
        found = lines(target, since, until, kept=lambda line: matches(line, where), words=words)
        return lambda: found[: -count - 1 : -1]
    query = f"fields @timestamp, @message | filter {where} | sort @timestamp desc | limit {count}"
    rows = insights(target, group_of(target, log), query, since, until)
    return lambda: [(time_of(row["@timestamp"]), line_of(row["@message"])) for row in rows()]


def every(target, where, since, until=None):
    """All lines of a filter, the oldest first. A query of a stack has 10,000 at most: then it takes several."""
    found, rows, size = {}, [None] * MOST, -1
    while len(rows) == MOST and len(found) > size:
        size, rows = len(found), newest(target, where, since, MOST, until)()
        found.update(((at, json.dumps(line)), line) for at, line in rows)
        until = moment(rows[-1][0]) + timedelta(seconds=1) if rows else until  # Insights takes whole seconds
    return [(at, line) for (at, _), line in sorted(found.items(), key=lambda each: each[0][0])]


def price(target):
    """What the queries of a stack's log have cost so far, as a sentence."""
    read = sum(target.scanned) / 1e9
    return f"{len(target.scanned)} queries of the log have read {read:.3f} GB: ${read * PRICE:.4f}, at ${PRICE} a GB."


def group_of(stack, log):
    return stack.output("FunctionLogsName") if log == FUNCTIONS else f"/aws/vendedlogs/apigateway/{stack.name}"


def insights(stack, group, query, begin, end):
    asked = stack.call(
        *("logs", "start-query", "--log-group-name", group, "--query-string", query),
        *("--start-time", str(int(begin.timestamp())), "--end-time", str(int(end.timestamp()))),
    )

    def rows():
        for _ in range(LONGEST):
            found = stack.call("logs", "get-query-results", "--query-id", asked["queryId"])
            if found["status"] == "Complete":
                stack.scanned.append(found.get("statistics", {}).get("bytesScanned", 0))
                return [{cell["field"]: cell["value"] for cell in row} for row in found["results"]]
            if found["status"] not in ("Scheduled", "Running"):
                break
            time.sleep(PAUSE)
        raise Failure(f"the query of the log is {found['status']}")

    return rows


def answer(query, lines):
    """Answers a question of the form: filter … | stats … by … | sort … desc | limit …"""
    where, stats, sort, limit = (part.partition(" ")[2] for part in query.split(" | "))
    figures, _, names = stats.partition(" by ")
    by, groups = names.split(", "), {}
    for at, line in lines:
        if matches(line, where):
            timed = {**line, "@timestamp": milliseconds(moment(at))}
            groups.setdefault(tuple(str(line.get(name, "")) for name in by), []).append(timed)
    rows = [
        {**dict(zip(by, key)), **{name: figure(kind, of, group) for kind, of, name in FIGURE.findall(figures)}}
        for key, group in groups.items()
    ]
    rows.sort(key=lambda row: -row[sort.split()[0]])
    return [{name: str(value) for name, value in row.items() if value != ""} for row in rows[: int(limit)]]


def matches(line, where):
    return any(all(holds(line, *term) for term in each) for each in terms(where))


@functools.lru_cache(None)
def terms(where):
    """The terms of which all must hold, for each part between two `or`. Such a part may stand in parentheses."""
    parts = (each[1:-1] if each.startswith("(") else each for each in where.split(" or "))
    return [[TERM.fullmatch(term).groups() for term in each.split(" and ")] for each in parts]


def holds(line, without, present, name, sign, value):
    if present:
        return (present in line) != bool(without)
    text = value.strip('"/')
    if sign == "like":
        there = json.dumps(line) if name == "@message" else str(line.get(name, ""))
        return bool(re.search(text, there)) if value.startswith("/") else text in there
    if sign == "in":
        return f'"{line.get(name)}"' in value
    if sign in ("=", "!="):
        return (str(line.get(name)) == text) == (sign == "=")
    there, bound = (line.get(name, ""), text) if value.startswith('"') else (line.get(name, 0), float(value))
    return there > bound if sign == ">" else there >= bound if sign == ">=" else name in line and there <= bound


def figure(kind, of, lines):
    values = [line.get(of, 0) for line in lines if of in line or kind != "count" or of == "*"]
    return {"count": len, "sum": sum, "max": max, "min": min, "latest": lambda them: them[-1]}[kind](values)


def last_uses(target):
    """When each user was last seen to send an event, or to ask for events: times by user_id and use."""
    found = {}
    for user_id, use, at in uses_of_stack(target) if isinstance(target, Stack) else uses_of_local(target):
        found[user_id, use] = max(at, found.get((user_id, use), ""))
    return found


def uses_of_local(target):
    for at, line in lines(target, BEGINNING, datetime.now(timezone.utc), kept=use_of):
        yield line["user_id"], use_of(line), at


def use_of(line):
    """What a request was, by its line: SENT, READ or neither."""
    if "user_id" not in line or line.get("status", 500) >= 400:
        return None
    if line["route"].startswith("GET ") and "webhook-events" in line["route"]:
        return READ
    return SENT if line.get("stored") or line.get("replayed") or "event_id" in line else None


def uses_of_stack(target):
    end = datetime.now(timezone.utc)
    progress("waits for the query of the log")
    rows = insights(target, group_of(target, FUNCTIONS), USES, known_since(target), end)()
    progress("")
    for row in rows:
        yield row["user_id"], READ if row["route"].startswith("GET ") else SENT, time_of(row["last"])


def time_of(value):
    """A time that Logs Insights prints: in milliseconds since 1970, or as a text in UTC."""
    try:
        return text(int(float(value)))
    except ValueError:
        return text(milliseconds(moment(value.replace(" ", "T") + "+00:00")))
