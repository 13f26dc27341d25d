"""Questions to a service's logs, in the language of CloudWatch Logs Insights.

Of a stack, Insights answers them. Of local/serve, this file does: it keeps its last 500 requests, and needs only the
few words of the language that the questions use.
"""
import json, re, time
from operators.api import Api
from operators.command import Failure, Stack, moment

FUNCTIONS, ACCESS = "functions", "access"  # the two logs: docs/operating.md#read-the-log
TERM = re.compile(r'ispresent\((\w+)\)|(\w+) (>|=|!=) "?([^"]*)"?')
FIGURE = re.compile(r"(sum|count|latest)\(([\w*]+)\) as (\w+)")
PAUSE, LONGEST = 1, 60  # in seconds


def ask(target, log, query, since):
    """Begins to answer a question about the time since then. Returns a function that waits for the rows.

    A row has texts. A member that no line of the row has is absent.
    """
    if isinstance(target, Stack):
        return insights(target, log, query, since)
    return lambda: answer(query, local_lines(target, log, since))


def insights(stack, log, query, since):
    group = stack.output("FunctionLogsName") if log == FUNCTIONS else f"/aws/vendedlogs/apigateway/{stack.name}"
    asked = stack.call(
        *("logs", "start-query", "--log-group-name", group, "--query-string", query),
        *("--start-time", str(int(since.timestamp())), "--end-time", str(int(time.time()))),
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


def local_lines(target, log, since):
    """The lines that the logs of a stack would have, of the last requests."""
    requests = Api(target.url).send_once("GET", "/_inspector/log", None, None).json["requests"]
    for request in requests:
        made, lines = request["exchange"], request["log"]
        if moment(made["receivedAt"][:19] + "Z") < since.replace(microsecond=0):
            continue
        if log == FUNCTIONS:
            yield from map(json.loads, lines)
        else:
            error = "-" if lines else "no function was called"
            route = f"{made['method']} {made['path'].partition('?')[0]}"
            yield {"route": route, "status": str(made["status"]), "source_ip": "127.0.0.1", "error": error}


def answer(query, lines):
    """Answers a question of the form: filter … | stats … by … | sort … desc | limit …"""
    where, stats, sort, limit = (part.partition(" ")[2] for part in query.split(" | "))
    figures, _, names = stats.partition(" by ")
    by, groups = names.split(", "), {}
    for line in lines:
        if any(all(holds(line, term) for term in each.split(" and ")) for each in where.split(" or ")):
            groups.setdefault(tuple(str(line.get(name, "")) for name in by), []).append(line)
    rows = [
        {**dict(zip(by, key)), **{name: figure(kind, of, group) for kind, of, name in FIGURE.findall(figures)}}
        for key, group in groups.items()
    ]
    rows.sort(key=lambda row: -row[sort.split()[0]])
    return [{name: str(value) for name, value in row.items() if value != ""} for row in rows[: int(limit)]]


def holds(line, term):
    present, name, sign, value = TERM.fullmatch(term).groups()
    if present:
        return present in line
    if sign == ">":
        return line.get(name, 0) > float(value)
    return (str(line.get(name)) == value) == (sign == "=")


def figure(kind, of, lines):
    values = [line.get(of, 0) for line in lines]
    return {"count": len, "sum": sum, "latest": lambda them: them[-1]}[kind](values)
