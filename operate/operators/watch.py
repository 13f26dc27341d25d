"""The alarms of CloudWatch for connectors that fall silent, are not complete or send too much, and for consumers that
fall behind: `watch` and `unwatch` of operate/user.

CloudFormation does not know these alarms. An alarm's name has the id of the user, and no line of the log has an
address: the users' list resolves it.
"""
import argparse, json, re
from datetime import datetime, timedelta, timezone
from operators.command import Failure, moment, pages, print_table, text

FUNCTION = "ManageUsersFunction"
# The template's EventsMetric counts new events by user and provider.
METRIC = "stored"
# The template's BehindMetric: how far each page of the feed leaves its reader behind, in seconds, by user.
BEHIND = "behind_seconds"
# What examples/complete.py puts: how old its complete_until is, in seconds, by user.
INCOMPLETE = "incomplete_seconds"
FEED, COMPLETE = None, ""  # stand in the place of a provider
AGES = {FEED: BEHIND, COMPLETE: INCOMPLETE}
IN_NAMES = {FEED: "behind", COMPLETE: "incomplete"}  # of alarms
SHOWN = {FEED: "feed", COMPLETE: "complete"}
OTHER = "other"  # the provider of the events whose provider the user's scope does not name
ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

UNITS = {"d": 86400, "h": 3600, "m": 60}
SHORTEST = 600  # a metric may be some minutes late
LONGEST = 7 * 86400  # https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
HALVES = 2  # the alarm's periods
SPANS = {"day": 86400, "hour": 3600}  # in which `--most` counts

STEP = 300  # in seconds: how exactly a command knows the time of an event
TWO_WEEKS = timedelta(days=14)  # CloudWatch lists a metric for two weeks after its last point
METRICS_PER_CALL, ALARMS_PER_CALL = 100, 100


def pause(value):
    """The type of an option that takes a pause between two events. Returns seconds."""
    match = re.fullmatch("([0-9]{1,6})([dhm])", text(value))
    if not match:
        raise argparse.ArgumentTypeError(f"needs a time such as 30m, 2h or 3d, not {value}")
    seconds = int(match[1]) * UNITS[match[2]]
    if not SHORTEST <= seconds <= LONGEST:
        raise argparse.ArgumentTypeError("must be from 10m to 7d, since CloudWatch looks back for 7 days at most")
    if seconds % (HALVES * 60):
        raise argparse.ArgumentTypeError("needs an even number of minutes: the alarm looks at both halves of them")
    return seconds


def most(value):
    """The type of an option that takes a number of events in a time. Returns the number and seconds."""
    match = re.fullmatch(f"([1-9][0-9]{{0,8}})/({'|'.join(SPANS)})", text(value))
    if not match:
        raise argparse.ArgumentTypeError(f"needs a number such as 100000/day or 5000/hour, not {value}")
    return int(match[1]), SPANS[match[2]]


def most_words(number, seconds):
    """The number in a time as a command takes it."""
    return f"{number:.0f}/{next(span for span, length in SPANS.items() if length == seconds)}"


def words(seconds):
    """The pause as a command takes it."""
    unit = next(unit for unit, length in UNITS.items() if seconds % length == 0)
    return f"{seconds // UNITS[unit]}{unit}"


def providers(user):
    """The providers under which the log counts the user's events. The scope decides, as EventTypes does in Java."""
    patterns = user.get("event_types", ["*"])
    names = {pattern.partition(".")[0] for pattern in patterns if pattern != "*"}
    return sorted(names | {OTHER} if "*" in patterns else names)


def shown(target, email):
    return target.invoke(FUNCTION, {"action": "show", "email": email})["user"]


def all_users(target):
    """Each user by its id."""
    return {user["id"]: user for page in pages(target, FUNCTION, {"action": "list"}) for user in page["users"]}


def topics(target):
    topic = target.parameters.get("AlarmTopicArn", "")
    return [topic] if topic else []


def statistic(target, user_id, provider, seconds):
    """What a connector sends of a provider, how old its complete_until is, or how far a consumer is behind."""
    dimensions = [{"Name": "user_id", "Value": user_id}]
    if provider not in AGES:
        dimensions.append({"Name": "provider", "Value": provider})
    name, stat = (AGES[provider], "Maximum") if provider in AGES else (METRIC, "Sum")
    metric = {"Namespace": namespace(target), "MetricName": name, "Dimensions": dimensions}
    return {"Metric": metric, "Period": seconds, "Stat": stat}


def namespace(target):
    return f"ConnectorEvents/{target.name}"


def to_copy(target, email, provider, seconds):
    return f"  operate/user {target.option}watch {email} --provider {provider} --every {words(seconds)}"


def watch(target, email, provider, seconds):
    """Makes the alarm for a connector that falls silent, or replaces it."""
    user, provider = sender(target, email, provider)
    put(target, alarm(target, user["id"], provider, seconds))
    print(f"{user['email']}, {provider}: an alarm goes off after {words(seconds)} without a new event.")


def watch_most(target, email, provider, limit):
    """Makes the alarm for a connector that sends too much, or replaces it."""
    user, provider = sender(target, email, provider)
    put(target, alarm_of_most(target, user["id"], provider, *limit))
    print(f"{user['email']}, {provider}: an alarm goes off at more new events than {most_words(*limit)}.")


def sender(target, email, provider):
    """The connector, and the provider of its events that is to be watched."""
    user = shown(target, email)
    if user["role"] != "connector":
        raise Failure(f"{user['email']} is a {user['role']}: it sends no events. Watch it with --behind")
    counted = providers(user)
    if provider is None and len(counted) > 1:
        raise Failure(f"--provider must say which events to watch: {', '.join(counted)}")
    provider = provider or counted[0]
    if provider not in counted:
        events = ", ".join(counted)
        raise Failure(f"the scope of {user['email']} does not name {provider}: its events count as {events}")
    return user, provider


def watch_consumer(target, email, seconds):
    """Makes the alarm for a consumer, or replaces it."""
    user = shown(target, email)
    if user["role"] != "consumer":
        raise Failure(f"{user['email']} is a {user['role']}: it reads no feed. Watch it with --every")
    put(target, alarm(target, user["id"], FEED, seconds))
    print(f"{user['email']}: an alarm goes off when it is {words(seconds)} behind, or has not asked for so long.")


def watch_complete(target, email, seconds):
    """Makes the alarm for a connector that complete.py looks after, or replaces it."""
    user = shown(target, email)
    if user["role"] != "connector":
        raise Failure(f"{user['email']} is a {user['role']}: nothing is delivered to it. Watch it with --behind")
    put(target, alarm(target, user["id"], COMPLETE, seconds))
    print(f"{user['email']}: an alarm goes off when complete_until is {words(seconds)} old, or nobody says so.")


def put(target, settings):
    target.call("cloudwatch", "put-metric-alarm", "--cli-input-json", json.dumps(settings))
    if not settings["AlarmActions"]:
        print("The stack has no AlarmTopicArn, so nobody gets a message. Deploy it with one, and watch again.")


def alarm(target, user_id, provider, seconds):
    """The alarm's settings. FILL and `breaching` together let it go off at the end of the pause, and not later.

    Where the latest points are missing, CloudWatch judges older ones. Whether FILL fills a metric that never had a point,
    no page of AWS says: `breaching` is for that.
    """
    if provider in AGES:
        name = f"{target.name}-{IN_NAMES[provider]}-{user_id}"
        description = {
            FEED: f"User {user_id} is {words(seconds)} behind the feed, or has not asked for so long."
            " See docs/alarms.md#when-a-consumer-falls-behind",
            COMPLETE: f"User {user_id} is not complete: complete_until is {words(seconds)} old, or nobody says so."
            " See docs/alarms.md#when-a-connector-is-not-complete",
        }[provider]
        expression = f"FILL(points, {seconds + 1})"  # a half without a point breaches too
        comparison, threshold = "GreaterThanThreshold", seconds
    else:
        name = f"{target.name}-silent-{user_id}-{provider}"
        description = f"User {user_id} has sent no new event ({provider}) for {words(seconds)}."
        description += " See docs/alarms.md#when-a-connector-falls-silent"
        expression = "FILL(points, 0)"
        comparison, threshold = "LessThanThreshold", 1
    stat = statistic(target, user_id, provider, seconds // HALVES)
    return {
        "AlarmName": name,
        "AlarmDescription": description,
        "Metrics": [
            {"Id": "all", "Expression": expression, "ReturnData": True},
            {"Id": "points", "MetricStat": stat, "ReturnData": False},
        ],
        "ComparisonOperator": comparison,
        "Threshold": threshold,
        "EvaluationPeriods": HALVES,
        "DatapointsToAlarm": HALVES,
        "TreatMissingData": "breaching",
        "AlarmActions": topics(target),
        "OKActions": topics(target),
    }


def alarm_of_most(target, user_id, provider, number, seconds):
    """The settings of the alarm for a connector that sends too much."""
    description = f"User {user_id} has sent more new events ({provider}) than {most_words(number, seconds)}."
    return {
        "AlarmName": f"{target.name}-most-{user_id}-{provider}",
        "AlarmDescription": description + " See docs/alarms.md#what-a-few-requests-can-do",
        "Metrics": [{"Id": "all", "MetricStat": statistic(target, user_id, provider, seconds), "ReturnData": True}],
        "ComparisonOperator": "GreaterThanThreshold",
        "Threshold": number,
        "EvaluationPeriods": 1,
        "TreatMissingData": "notBreaching",
        "AlarmActions": topics(target),
        "OKActions": topics(target),
    }


def is_of_most(target, alarm):
    return alarm["AlarmName"].startswith(f"{target.name}-most-")


def all_alarms(target):
    """The alarms of the stack and of its users."""
    return target.call("cloudwatch", "describe-alarms", "--alarm-name-prefix", f"{target.name}-")["MetricAlarms"]


def watched(target, alarms):
    """The alarms of the stack's users, each with its user's id, and its provider or FEED."""
    name = re.compile(f"{re.escape(target.name)}-(?:(?:silent|most)-({ID})-(.+)|(behind|incomplete)-({ID}))")
    found = ((name.fullmatch(alarm["AlarmName"]), alarm) for alarm in alarms)
    ages = {word: age for age, word in IN_NAMES.items()}
    return [(match[1] or match[4], match[2] or ages[match[3]], alarm) for match, alarm in found if match]


def points_of(target, pairs):
    """What each pair of user and provider, or FEED, did in the last two weeks: times and figures, the oldest first."""
    end = datetime.now(timezone.utc)
    points = {pair: [] for pair in pairs}
    for first in range(0, len(pairs), METRICS_PER_CALL):
        some = pairs[first : first + METRICS_PER_CALL]
        queries = [
            {"Id": f"m{index}", "MetricStat": statistic(target, *pair, STEP)} for index, pair in enumerate(some)
        ]
        found = target.call(
            *("cloudwatch", "get-metric-data", "--metric-data-queries", json.dumps(queries)),
            *("--start-time", (end - TWO_WEEKS).isoformat(), "--end-time", end.isoformat()),
        )
        for result in found["MetricDataResults"]:
            points[some[int(result["Id"][1:])]] += zip(map(time_of, result["Timestamps"]), result["Values"])
    return {pair: sorted(found) for pair, found in points.items()}


def time_of(timestamp):
    """Version 2 of the AWS CLI prints a time as a text, version 1 perhaps as seconds."""
    return moment(timestamp) if isinstance(timestamp, str) else datetime.fromtimestamp(timestamp, timezone.utc)


def minute(time):
    return time.strftime("%Y-%m-%dT%H:%MZ")


def last_of(points):
    return minute(points[-1][0]) if points else "not in two weeks"


NOT_JUDGED = {"INSUFFICIENT_DATA": "not judged yet"}
SENDS = {"ALARM": "silent", "OK": "sends", **NOT_JUDGED}
READS = {"ALARM": "behind", "OK": "reads", **NOT_JUDGED}
COMPLETES = {"ALARM": "not complete", "OK": "complete", **NOT_JUDGED}
SENDS_TOO_MUCH = {"ALARM": "too many", "OK": "sends", **NOT_JUDGED}


def row_of(target, user, provider, alarm, points):
    limit = words(HALVES * period(alarm))
    if provider in AGES:
        state = (READS if provider is FEED else COMPLETES)[alarm["StateValue"]]
        if points:
            state += f", {points[-1][1]:.0f} s behind"
    else:
        state = SENDS[alarm["StateValue"]]
        if is_of_most(target, alarm):
            state, limit = SENDS_TOO_MUCH[alarm["StateValue"]], most_words(alarm["Threshold"], period(alarm))
        if provider not in providers(user):
            state += f"; its scope does not name {provider}"
    return {
        "email": user["email"],
        "watched": SHOWN.get(provider, provider),
        "limit": limit,
        "state": state,
        "last_seen": last_of(points),
    }


def print_watched(target):
    alarms = watched(target, all_alarms(target))
    if not alarms:
        print("Nobody is watched. operate/user --help says how.")
        return
    users = all_users(target)
    points = points_of(target, [(user_id, provider) for user_id, provider, _ in alarms])
    rows = []
    for user_id, provider, alarm in alarms:
        user = users.get(user_id, {"email": f"{user_id} (deleted)", "event_types": [f"{provider}.*"]})
        rows.append(row_of(target, user, provider, alarm, points[user_id, provider]))
    rows.sort(key=lambda row: (row["email"], row["watched"]))
    print_table(("email", "watched", "limit", "state", "last_seen"), rows)
    if any(alarm["AlarmActions"] != topics(target) for _, _, alarm in alarms):
        print("\nSome of these alarms have another topic than the stack. Watch again to change that.")


def period(alarm):
    return next(each["MetricStat"]["Period"] for each in alarm["Metrics"] if "MetricStat" in each)


def unwatch(target, user_id=None, provider=None):
    """Deletes the alarms of a user, or of all. Returns what they watched."""
    gone = [
        (watched_id, of, alarm["AlarmName"])
        for watched_id, of, alarm in watched(target, all_alarms(target))
        if user_id in (None, watched_id) and provider in (None, of)
    ]
    for first in range(0, len(gone), ALARMS_PER_CALL):
        names = [name for _, _, name in gone[first : first + ALARMS_PER_CALL]]
        target.call("cloudwatch", "delete-alarms", "--alarm-names", *names)
    return list(dict.fromkeys((watched_id, of) for watched_id, of, _ in gone))  # one may have two alarms


def print_unwatched(target, email, provider):
    """Unwatches this user, who may be named by its id if it is deleted, or all users."""
    user_id = email if email is None or re.fullmatch(ID, email) else shown(target, email)["id"]
    gone = unwatch(target, user_id, provider)
    for watched_id, of in gone:
        print(f"{email or watched_id}, {SHOWN.get(of, of)}: no longer watched.")
    if not gone:
        print("No alarm watched it." if email else "Nobody was watched.")


def longest_gap(times):
    """In seconds. Times have steps of five minutes, so the gap may be longer by one step."""
    return STEP + max((int((later - earlier).total_seconds()) for earlier, later in zip(times, times[1:])), default=0)


def suggestion(gap):
    """Twice the gap, rounded up to ten minutes or to hours; 0 if the gap is longer than CloudWatch looks back."""
    twice = 2 * gap
    step = 600 if twice <= 2 * 3600 else 3600
    return 0 if gap >= LONGEST else min(LONGEST, -(-twice // step) * step)


def print_suggestions(target, email, provider):
    """Proposes a pause for each connector, or for this one, from the events of the last two weeks."""
    user = email and shown(target, email)
    users = {user["id"]: user} if user else all_users(target)
    dimensions = [f"Name=user_id,Value={user['id']}" if user else "Name=user_id"]
    dimensions.append(f"Name=provider,Value={provider}" if provider else "Name=provider")
    found = target.call(
        *("cloudwatch", "list-metrics", "--namespace", namespace(target), "--metric-name", METRIC),
        *("--dimensions", *dimensions),
    )
    named = [{each["Name"]: each["Value"] for each in metric["Dimensions"]} for metric in found["Metrics"]]
    pairs = [(each["user_id"], each["provider"]) for each in named if each["user_id"] in users]
    rows = []
    for (user_id, of), points in points_of(target, pairs).items():
        times = [time for time, _ in points]
        few = len(times) < 2
        gap = longest_gap(times)
        rows.append(
            {
                "email": users[user_id]["email"],
                "provider": of,
                "last_event": last_of(points),
                "longest_gap": "too few events" if few else f"{gap // 3600}h {gap % 3600 // 60}m",
                "every": 0 if few else suggestion(gap),
            }
        )
    if not rows:
        print("No new events in two weeks.")
        return
    rows.sort(key=lambda row: (row["email"], row["provider"]))
    print_table(("email", "provider", "last_event", "longest_gap"), rows)
    print()
    for row in rows:
        if row["every"]:
            print(to_copy(target, row["email"], row["provider"], row["every"]))
