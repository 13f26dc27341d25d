"""What the feed holds, as the beats in the log say, and how a command waits for it.

Each beat of BeatFeedFunction writes a line. The feed holds all that was stored from `whole_since` (absent: from the
beginning of all) to `whole_until` (absent: nobody knows). It may lack events from `lost_from` to `whole_since`.
"""
import time
from datetime import datetime, timedelta, timezone
from operators.command import Stack, moment, progress, say
from operators.logs import newest
from operators.search import printable

FUNCTION = "BeatFeedFunction"
BEATS = f"ispresent(beat) or function_name like /{FUNCTION}/"  # one that failed may have no number
PAGE = "alarms.md#when-the-feed-is-behind"
BEGINNING = "1970-01-01T00:00:00.000Z"  # of all
LATE = timedelta(minutes=15)  # as the alarm FeedBehind
MANY = 20  # beats that may fail one after the other, until nobody knows what the feed holds


def now():
    return datetime.now(timezone.utc)


def age(seconds):
    """A time span, in words."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length:.0f} {unit}s"
    return f"{max(seconds, 0):.0f} s"


def ago(at, of=None):
    return f"{at}, {age(((of or now()) - moment(at)).total_seconds())} ago"


def held(whole):
    """What the feed holds, as an answer or a line says."""
    if "whole_until" not in whole:
        return "Nobody knows yet what the feed holds."
    since = f"what was stored from {whole['whole_since']} to" if "whole_since" in whole else "all that was stored before"
    return f"The feed holds {since} {ago(whole['whole_until'])}."


def ask(target, span):
    """Begins to read the beats of this time up to now. Returns a function that waits for them.

    The log of local/serve is read from its beginning: beats come there only while requests come.
    """
    is_stack = isinstance(target, Stack)
    found = newest(target, BEATS, now() - span if is_stack else moment(BEGINNING), MANY)
    return lambda: Beats(target, found(), f"in {age(span.total_seconds())}" if is_stack else "since it was started")


class Beats:
    """The newest beats. `line` is that of the newest one that has not failed, or empty."""

    def __init__(self, target, found, time):
        self.target, self.found, self.time = target, found, time
        self.line = next((line for _, line in found if "error" not in line), {})
        # Between requests, the feed of local/serve is as its last beat has left it.
        self.now = moment(found[0][0]) if found and not isinstance(target, Stack) else now()

    def is_late(self, at):
        return self.now - moment(at) > LATE

    def is_behind(self):
        """Whether what is known is old, or nothing is known: what is lost since, nobody can say."""
        return "whole_until" not in self.line or self.is_late(self.line["whole_until"])

    def faults(self):
        """What is wrong, and what follows: a sentence each."""
        nobody_says, why = f"nobody says how far it is: {FUNCTION}", "Its schedule is off, or it fails."
        if not self.found:
            yield f"{nobody_says} has logged nothing {self.time}. {why}"
            return
        at, line = self.found[0]
        if "error" in line:
            yield f"{FUNCTION} fails: {printable(line['error'])}."
        elif self.is_late(at):
            yield f"{nobody_says} ran last at {ago(at, self.now)}. {why}"
        until = self.line.get("whole_until")
        if not until:
            yield "nobody knows what it holds."
        elif self.is_late(until):
            yield f"it is behind: only what was stored before {ago(until, self.now)}, is sure to be there."
        if "lost_from" in self.line:
            yield lost(self.target, self.line)


def lost(target, whole):
    """What the feed may lack, and the command that brings it back."""
    begin = whole["lost_from"]
    since = "the beginning of all" if begin == BEGINNING else begin
    return (
        f"it may lack what was stored from {since} to {whole['whole_since']}:"
        f" operate/feed {target.option}fill --from {begin} brings it back."
    )


class Waiting:
    """Waits for the feed as long as answers ask for. Says once for what."""

    is_said = False

    def wait(self, answer, done):
        seconds, until = answer.get("wait_seconds", 0), answer.get("whole_until")
        far = f"It has come to what was stored before {ago(until)}." if until else "Nobody knows yet how far it is."
        if seconds and not self.is_said:
            self.is_said = True
            say(f"It waits until the feed has all that was stored before it began. {far} If the feed stands: docs/{PAGE}")
        for left in range(seconds, 0, -1):
            progress(f"{done}; waits for the feed; asks again in {left} s. {far}")
            time.sleep(1)
