"""The rows of consumers, in their order."""
import re, threading, time
from functools import partial
from .cases import NEEDS, case
from .consumers import PAUSE
from .feed import BY_ID, PAGES, Erasure, problem, share_of
from .gateway import CUT, FORWARD, LONGEST_STALL, Answer
from .judge import Failed, NotAsked

CASES = []
NEEDS.update({"states": "--has prints no latest states", "share": "the command has no {share}",
              "kills": "--kills is 0"})
row = partial(case, among=CASES)
OUTAGE = [problem(503, "temporarily_unavailable", "later"), CUT, problem(500, "internal_error", "a defect"),
          Answer(502, {"Content-Type": "text/html"}, b"<p>Bad Gateway</p>")]
OUTAGE_SECONDS, MOST_TRIES = 4, 12
MEGABYTES = ',"more":"%s"' % ("é" * 1_500_000)
IDLE_SECONDS, WATCHED_SECONDS, MOST_AFTER_REFUSAL = 3, 2, 8
SHORTEST_WAIT = 0.9  # seconds after `Retry-After: 1`
FULL_PAGE = 300  # events of the row `kill`, so that a page takes a while to store
FIRST_KILL, EARLIER, LATER = 0.02, 0.75, 1.15  # seconds after the answer, and by what they change


@row("it has each event of the feed once, with its id and created_at", "the-feed")
def reads(course):
    course.give(*(course.event() for _ in range(45)))


@row("it goes on after empty pages with more", "one-brand-or-a-rare-type")
def empty_pages(course):
    course.give(course.event(), *[None] * 70, course.event())


@row("a restored event comes again, and counts once", "in-one-transaction")
def restored(course):
    some = [course.event(), course.event(is_large=True)]
    course.give(*some)
    course.give(*some, course.event())


@row("an id with another created_at is another event", "signals")
def freed_id(course):
    old = course.event()
    course.give(old)
    old.end = "expired"
    course.give(course.event(id=old.id))


@row("an erasure deletes all events with its id", "erased-events")
def erased_freed_id(course):
    old = course.event()
    course.give(old)
    old.end, new = "expired", course.event(id=old.id)
    course.give(new)
    old.end = "erased"
    course.erase(new)
    course.check()


@row("an erasure deletes its event", "erased-events")
def erased(course):
    some = [course.event() for _ in range(3)]
    course.give(*some)
    course.erase(*some[:2])
    course.check()


@row("an erasure of an event that it never got is no event", "erased-events")
def erased_unread(course):
    never = course.event()
    never.end = "erased"
    course.give(never, Erasure(never), course.event())


@row("an event and its erasure may come on one page", "erased-events")
def erased_at_once(course):
    at_once = course.event()
    at_once.end, at_once.is_still_shown = "erased", True
    course.give(at_once, Erasure(at_once), course.event())


@row("it gets the payload that a page does not have, once, and no other", "the-feed")
def large(course):
    """A consumer may also ask for no payloads in its pages, and then for each."""
    since, some = len(course.feed.calls), [course.event(), course.event(is_large=True, more=MEGABYTES), course.event()]
    course.give(*some)
    has_them = any("payload" in each.path for each in course.calls(since, PAGES))
    for each in some:
        count = len(course.calls(since, BY_ID + each.id))
        if count > (each.is_large or not has_them):
            raise Failed(f"it asked {count} times for an event by its id, whose page had its payload" if has_them
                         and not each.is_large else f"it asked {count} times for one event by its id", course.shown())
    course.give(course.event(thing=2))  # so that no later row compares the large state


@row("a payload that fails at first is asked for again", "the-feed")
def large_again(course):
    refusals = [problem(429, "too_many_requests", "slower", Retry_After="1"), problem(503, "temporarily_unavailable", "later")]
    with course.gateway.ruled(lambda call: refusals.pop() if refusals else FORWARD, BY_ID):
        course.give(course.event(), course.event(is_large=True), course.event())


@row("an event may go between its page and its payload: 404 or 410", "signals")
def gone(course):
    some = [course.event(is_large=True), course.event(is_large=True)]
    for each, end in zip(some, ("erased", "expired")):
        each.end, each.is_still_shown = end, True
    course.publish(*some, course.event())
    course.come()
    course.give(Erasure(some[0]))


@row("a payload of another created_at is of another event", "the-feed")
def freed_payload(course):
    old = course.event(is_large=True)
    old.end, old.is_still_shown = "expired", True
    new = course.event(id=old.id, is_large=True)

    def rule(call):
        course.feed.events[old.id] = new
        return FORWARD

    with course.gateway.ruled(rule, BY_ID):
        course.give(old, course.event())
    course.give(new)


@row("a page that is cut in the middle is asked for again", "the-feed")
def cut_page(course):
    cuts = []

    def cut(answer):
        if len(cuts) == 2 or len(answer.body) < 1_000:
            return answer
        cuts.append(answer)
        return answer._replace(cut=len(answer.body) // 2)

    with course.gateway.ruled(lambda call: cut, PAGES):
        course.give(*(course.event() for _ in range(5)))


@row("after a 429 it waits as long as Retry-After says", "the-feed")
def throttled(course):
    refused = []

    def rule(call):
        if len(refused) == 2:
            return FORWARD
        refused.append(call)
        return problem(429, "too_many_requests", "slower", Retry_After="1")

    with course.gateway.ruled(rule, PAGES):
        course.give(course.event())
    for call in refused:
        later = [each.at for each in course.calls() if each.at > call.at]
        if later and later[0] - call.at < SHORTEST_WAIT:
            raise Failed(f"it asked again {later[0] - call.at:.1f} s after a 429 with Retry-After: 1", course.shown())


@row("it outlives an outage, and backs off", "the-feed")
def unavailable(course):
    tries = []

    def rule(call):
        tries.append(call)
        return OUTAGE[len(tries) % len(OUTAGE)]

    with course.gateway.ruled(rule):
        course.publish(course.event(), course.event(is_large=True))
        time.sleep(OUTAGE_SECONDS)
        count = len(tries)
    if count > MOST_TRIES:
        raise Failed(f"it tried {count} times in an outage of {OUTAGE_SECONDS} s", course.shown())
    course.check()


@row("it logs in once after its token has ended", "signals")
def token_ends(course):
    with course.logging_in():
        if not course.soon(lambda: course.feed.logins):
            raise NotAsked("it does not log in")
        course.give(course.event())
        before = course.feed.logins
        course.feed.expire_all()
        course.give(course.event())
        if course.feed.logins - before > 2:
            raise Failed(f"it logged in {course.feed.logins - before} times after one 401", course.shown())


def refuses(course, words):
    """The consumer stops or waits after a refusal, and its log says why."""
    since, log = len(course.feed.calls), len(course.consumer.lines())
    if not course.soon(lambda: course.calls(since)):
        raise Failed("it does not ask for what is new")
    time.sleep(WATCHED_SECONDS)
    calls, refused = course.calls(since), [each for each in course.calls(since) if each.status in (401, 422)]
    if len(refused) > MOST_AFTER_REFUSAL:
        raise Failed(f"it asked {len(refused)} times in {WATCHED_SECONDS} s for what it was refused", course.shown())
    if all("cursor=" in each.path for each in calls):  # it has not begun anew by itself
        if not course.soon(lambda: re.search(words, course.consumer.lines()[log:])):
            raise Failed("its output does not say why it was refused", [course.consumer.lines()[log:][-200:].strip()])


@row("after its static token has ended it says so, and goes on with a new one", "the-feed")
def refused(course):
    course.give(course.event())
    course.feed.expire_all()
    try:
        refuses(course, "401|expired|[Tt]oken")
    finally:
        course.feed.renew()
    course.restart()
    course.give(course.event())


@row("if its position belongs to another feed it says so, and keeps what it has", "restores")
def another_feed(course):
    course.give(course.event())
    kept = course.feed.name, course.feed.entries
    course.feed.name, course.feed.entries = "77b0c3d4", []
    course.feed.publish(None)
    try:
        refuses(course, "422|another feed|validation_failed")
        if why := course.wrong("reads", course.has()) or course.wrong(course.row, course.has()):
            raise Failed(f"after a 422, {why}", course.shown())
    finally:
        course.feed.name, course.feed.entries = kept
    course.restart()
    course.give(course.event())


@row("it rounds no number of 40 digits", "the-feed")
def numbers(course):
    digits = "".join(str(course.random.randrange(1, 10)) for _ in range(40))
    course.give(course.event(f',"total":{digits},"rate":0.{digits},"limit":1e400'), course.event())


@row("halves of surrogate pairs and control characters lose no event", "signals")
def half_pairs(course):
    text = r',"title":"a\ud83d","name":"\ude00\u0000\u001f"'
    course.give(course.event(text), course.event(text, brand="b\ud83d"), course.event())


@row("a payload of 1,000 levels loses no event", "the-feed")
def depth(course):
    course.give(course.event(',"deep":' + "[" * 997 + "]" * 997), course.event())


@row("a member of another type loses no event", "the-feed")
def other_types(course):
    values = "null", "7", "-1.5e3", "true", '"a"', '""', "[]", "[{}]", "{}"
    course.give(*(course.event("".join(f',"{name}":{value}' for name in course.payload)) for value in values),
                course.event())


@row("the state with the greatest version is the latest", "the-latest-of-each", "states")
def late_states(course):
    newest, *others = (course.event(thing="a", version=version) for version in "312")
    course.give(newest, *others, *(course.event(thing="b", version=version) for version in "aB"))  # as bytes
    course.give(course.event(thing="c", version="1"), course.event(thing="C", version="2"))  # as bytes, too
    course.give(*(course.event(thing="d", version=version, brand=f"late-{version}.example.com") for version in "12"))
    course.erase(newest)
    course.check()


@row("no older update revives what was deleted", "the-latest-of-each", "states")
def deletions(course):
    course.give(course.event(thing="a", version="1"), course.event(thing="b", version="1"))
    course.give(*(course.event(thing=each, version="3", deleted="true") for each in "ab"))
    course.give(course.event(thing="a", version="2"), course.event(thing="b", version="4"))


@row("of two states with one version a deletion is the latest, or what was stored last", "the-latest-of-each",
     "states")
def ties(course):
    some = [course.event(thing="a", version="1"), course.event(thing="a", version="1"),
            course.event(thing="b", version="1", deleted="true"), course.event(thing="b", version="1")]
    course.give(*reversed(some))
    course.give(*(course.event(thing="c", version="1") for _ in range(2)))


@row("of two processes at one place, a late page brings no erased event back", "in-one-transaction")
def two_processes(course):
    """The first one gets its page late, and no further page: it cannot mend what it has then stored."""
    one, other, next_path = course.event(), course.program(), []
    is_held, goes_on, ends = threading.Event(), threading.Event(), threading.Event()

    def rule(call):
        def hold(answer):
            if one.id.encode() in answer.body and not is_held.is_set():
                next_path.append(re.sub("cursor=[^&]+", f"cursor={course.feed.name}-{one.position}", call.path))
                is_held.set()
                goes_on.wait(LONGEST_STALL)
            return answer

        if goes_on.is_set() and call.path in next_path:
            ends.wait(LONGEST_STALL)
        return hold

    def other_comes():
        return course.soon(lambda: course.asks(course.feed.place) or other.has_ended) and not other.has_ended

    course.give(course.event())
    try:
        with course.gateway.ruled(rule, PAGES):
            course.publish(one)
            course.wait(is_held.is_set, "it does not ask for what is new")
            other.start()
            other_comes()
            course.erase(one)
            if not other_comes():
                next_path.clear()  # a process ends beside another one, or waits for its end: then one goes on alone
            goes_on.set()
            course.sleep(1, "")
            course.publish(course.event())
            other_comes()
    finally:
        other.kill()
        course.restart()
        ends.set()
    course.check()


@row("two shares together have each event once", "several-readers", "share")
def shares(course):
    """The command may begin each half with a copy of what the whole has, and then divides it."""
    some = [course.event(brand=f"{number}.shares.example.com") for number in range(12)]
    course.give(*some[3:])
    course.consumer.kill()
    halves = {f"{part}/2": course.program(f"{part}/2") for part in (1, 2)}
    course.publish(*some[:3])
    try:
        for share, half in halves.items():
            half.start()
        for _ in range(2):
            for number, (share, half) in enumerate(halves.items(), 1):
                course.come(half, share)
                if why := course.wrong(course.row, course.has(share), lambda event: share_of(event, 2) == number):
                    raise Failed(f"of the share {share}, {why}", course.shown())
            course.erase(*some[:6])
    finally:
        for half in halves.values():
            half.kill()
        course.consumer.start()
    course.check()


@row("kill -9 at any moment loses nothing, and doubles nothing", "in-one-transaction", "kills")
def kill(course):
    """Kills at the end of a page, or between a page and the payload of one of its events.

    The next page is asked for at once, so a kill before that request was early, and one after it was late. Kills come
    in the second page of a process: the first one takes longer, and never equally long.
    """
    course.feed.looks_at, seconds = FULL_PAGE, FIRST_KILL
    for number in range(course.options.kills):
        pages, is_there, goes_on = [], threading.Event(), threading.Event()

        def stall(call):
            is_there.set()
            goes_on.wait(LONGEST_STALL)
            return CUT

        def note(answer):
            pages.extend([answer] * (b'"events":[]' not in answer.body))
            if len(pages) == 2:
                is_there.set()
            return answer

        is_full = number % 10 != 0
        with course.gateway.ruled(*((lambda call: note), PAGES) if is_full else (stall, BY_ID)):
            course.publish(*(course.event() for _ in range(2 * FULL_PAGE if is_full else 5)),
                           course.event(is_large=not is_full))
            course.wait(is_there.is_set, "it does not ask for what is new", 0.0005)
            since = len(course.feed.calls)
            time.sleep(seconds if is_full else 0)
            course.consumer.kill()
            goes_on.set()
        if is_full:
            seconds *= EARLIER if course.calls(since, PAGES) else LATER
        course.consumer.start()
        course.erase(course.random.choice(course.events[course.row]))
        course.say(f"kill {number + 1} of {course.options.kills}")
    course.check()


@row("at the end of the feed it asks at a sane rate", "the-feed")
def idle(course):
    course.give(course.event())
    since, begun = len(course.feed.calls), time.monotonic()
    time.sleep(IDLE_SECONDS)
    count, seconds = len(course.calls(since)), time.monotonic() - begun
    if count > 2 * seconds / PAUSE:
        raise Failed(f"it asked {count} times in {seconds:.0f} s for what is new", course.shown())


@row("no token and no password is in its log", "signals")
def canary(course):
    course.give(course.event())
    log = course.consumer.lines()
    for name, secrets in {"password": [course.feed.user["password"]], "token": course.feed.tokens}.items():
        if any(each in log for each in secrets):
            raise Failed(f"the log has the {name}")
