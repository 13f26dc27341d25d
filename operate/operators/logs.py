"""What the functions have logged, and API Gateway: of a stack in CloudWatch Logs, of local/serve on its port.

Questions are in the language of CloudWatch Logs Insights, which answers them for a stack. For local/serve this file
does: it needs only the few words of the language that the questions use.
"""
import json, re, time
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
TERM = re.compile(r'(not )?ispresent\(`?(\w+)`?\)|(\w+) (>|=|!=|like) ["/]?(.*?)["/]?')
FIGURE = re.compile(r"(sum|count|latest|max)\(([\w*@]+)\) as (\w+)")
PAUSE, LONGEST = 1, 300  # in seconds


def text(milliseconds):
    """A time in milliseconds since 1970, as the service writes it."""
    seconds = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    return f"{seconds:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


def milliseconds(moment):
    return round(moment.timestamp() * 1000)


def lines(target, begin, end, pattern="", kept=lambda line: True):
    """The lines from a time, included, to another one, excluded, each with its time; the oldest first.

    `pattern` lets CloudWatch leave out most of the others; `kept` decides.
    """
    first, last = milliseconds(begin), milliseconds(end)
    messages = of_stack(target, first, last, pattern) if isinstance(target, Stack) else of_local(target, first, last)
    found = [(at, line_of(message)) for at, message in messages if first <= at < last]
    return [(text(at), line) for at, line in sorted(found, key=lambda each: each[0]) if line and kept(line)]


def of_stack(target, first, last, pattern):
    found = target.call(
        *("logs", "filter-log-events", "--log-group-name", target.output("FunctionLogsName")),
        *("--start-time", str(first), "--end-time", str(last), "--filter-pattern", pattern),
    )
    return [(event["timestamp"], event["message"]) for event in found["events"]]


def of_local(target, first, last):
    for line in target.request("GET", f"/_log?from={first}&to={last}").decode().splitlines():
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


def warn_of_loss(target, begin):
    """Says if the log does not go back so far."""
    days = days_kept(target)
    kept = days and datetime.now(timezone.utc) - timedelta(days=days)
    if kept and begin < kept:
        say(f"The log is kept for {days} days (LogRetentionDays). What is older than {kept:%Y-%m-%dT%H:%MZ} is not known.")


def ask(target, log, query, since):
    """Begins to answer a question about the time since then. Returns a function that waits for the rows.

    A row has texts. A member that no line of the row has is absent: AWS does not say whether a sum of none is.
    """
    now = datetime.now(timezone.utc)
    if isinstance(target, Stack):
        return insights(target, log, query, since, now)
    if log == ACCESS:
        raise Failure("local/serve has no access log; its own lines show each request, those with a 429 too")
    return lambda: answer(query, lines(target, since, now))


def newest(target, where, since, count):
    """As `ask`, but for the newest lines of a filter, whole and with their times; the newest first."""
    now = datetime.now(timezone.utc)
    if not isinstance(target, Stack):
        found = lines(target, since, now, kept=lambda line: matches(line, where))
        return lambda: found[: -count - 1 : -1]
    query = f"fields @timestamp, @message | filter {where} | sort @timestamp desc | limit {count}"
    rows = insights(target, FUNCTIONS, query, since, now)
    return lambda: [(time_of(row["@timestamp"]), line_of(row["@message"])) for row in rows()]


def insights(stack, log, query, begin, end):
    group = stack.output("FunctionLogsName") if log == FUNCTIONS else f"/aws/vendedlogs/apigateway/{stack.name}"
    asked = stack.call(
        *("logs", "start-query", "--log-group-name", group, "--query-string", query),
        *("--start-time", str(int(begin.timestamp())), "--end-time", str(int(end.timestamp()))),
    )

    def rows():
        for _ in range(LONGEST):
            found = stack.call("logs", "get-query-results", "--query-id", asked["queryId"])
            if found["status"] == "Complete":
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
    return any(all(holds(line, term) for term in each.split(" and ")) for each in where.split(" or "))


def holds(line, term):
    without, present, name, sign, value = TERM.fullmatch(term).groups()
    if present:
        return (present in line) != bool(without)
    if sign == "like":
        return bool(re.search(value, str(line.get(name, ""))))
    if sign == ">":
        return line.get(name, 0) > float(value)
    return (str(line.get(name)) == value) == (sign == "=")


def figure(kind, of, lines):
    values = [line.get(of, 0) for line in lines]
    return {"count": len, "sum": sum, "max": max, "latest": lambda them: them[-1]}[kind](values)


def last_uses(target):
    """When each user was last seen to send an event, or to ask for events: times by user_id and use."""
    found = {}
    for user_id, use, at in uses_of_stack(target) if isinstance(target, Stack) else uses_of_local(target):
        found[user_id, use] = max(at, found.get((user_id, use), ""))
    return found


def uses_of_local(target):
    for at, line in lines(target, datetime.fromtimestamp(0, timezone.utc), datetime.now(timezone.utc), kept=use_of):
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
    rows = insights(target, FUNCTIONS, USES, end - timedelta(days=days_kept(target)), end)()
    progress("")
    for row in rows:
        yield row["user_id"], READ if row["route"].startswith("GET ") else SENT, time_of(row["last"])


def time_of(value):
    """A time that Logs Insights prints: in milliseconds since 1970, or as a text in UTC."""
    try:
        return text(int(float(value)))
    except ValueError:
        return text(milliseconds(moment(value.replace(" ", "T") + "+00:00")))
