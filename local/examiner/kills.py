"""Rows that need the connector's process: its memory, kills, and its log."""
import json, time
from .cases import case
from operators.command import Failure
from .events import is_once
from .gateway import Answer
from .judge import Failed, NotAsked, Patience
from .webhooks import MARK

ROUNDS = 4  # after the first one, of the rows that look at the memory
TRIES, LARGE = 8, 5_000_000  # in a round; bytes
MANY, LEAK = 4_000, 500  # events in a round; bytes that each may leave
UNAVAILABLE = Answer(503, {"Content-Type": "application/problem+json"},
                     b'{"status":503,"code":"temporarily_unavailable"}')
SPARE = 60  # seconds of the exam that the kills leave for what comes after them


def stays(course, ask, least, what):
    """A heap may grow for a while. A leak grows in each round, at least by so many bytes."""
    grown = []
    for _ in range(ROUNDS + 1):
        before = course.connector.memory()
        ask()
        after = course.connector.memory()
        if not before or not after:
            raise NotAsked("this system does not show the memory of a process")
        grown.append(after - before)
        if grown[1:] and grown[-1] < least:
            return
    raise Failed(f"{what} took {sum(grown) // 1_000_000} MB of memory, which stay taken")


@case("the memory does not grow with the tries of a large event", "answer-the-provider", "command", "JSON")
def memory(course):
    webhook = course.webhook('"large":"' + "abcdefgh" * (LARGE // 8) + '"')

    def ask():
        patience, enough = Patience(course), len(course.gateway.of([webhook.mark])) + TRIES
        while len(course.gateway.of([webhook.mark])) < enough and patience.seconds < course.options.patience:
            if not course.is_taken(webhook):  # with an outbox, it tries by itself
                course.deliver(webhook)
            time.sleep(0.02)

    with course.gateway.ruled(lambda call: UNAVAILABLE):
        stays(course, ask, 0.7 * TRIES * LARGE, f"{(ROUNDS + 1) * TRIES} tries of a webhook of 5 MB")
    course.take([webhook])


@case("the memory does not grow with the number of small events", "answer-the-provider", "command")
def many(course):
    """The gateway answers as the service does, since that would take longer for so many."""
    first, stored = course.webhook(), set()
    course.take([first])
    kind = course.service.events[first.mark][0].event_type

    def rule(call):
        stored.update(call.marks)
        events = [{"id": f"exam-{each}", "event_type": kind, "created_at": "2026-01-01T00:00:00.000Z"}
                  for each in call.marks]
        is_batch = call.path.endswith("/batch")
        answer = {"results": [{"status": 201, "event": each, "replayed": False} for each in events]}
        return Answer(200 if is_batch else 201, {"Content-Type": "application/json"},
                      json.dumps(answer if is_batch else events[0]).encode())

    def ask():
        some = course.webhooks(MANY)
        course.deliver_until_taken(some)
        course.wait(lambda: stored.issuperset(each.mark for each in some), "it does not send all that it has taken")

    with course.gateway.ruled(rule):
        stays(course, ask, LEAK * MANY, f"{(ROUNDS + 1) * MANY:,} small events")


@case("what cannot be kept, since the disk is full, gets no 2xx", "answer-the-provider", "command")
def full_disk(course):
    webhooks = course.webhooks(3)
    if not course.connector.limit_files(0):
        raise NotAsked("this system cannot limit the files of another process")
    with course.gateway.down():
        course.deliver_all(webhooks, 1)
    course.connector.restart()
    course.take(webhooks)


@case("a second process beside it loses and doubles nothing", "answer-the-provider", "command")
def two_processes(course):
    other, webhooks = course.connector.beside(), course.webhooks(20)
    try:
        other.start()
    except Failure as failed:
        raise NotAsked(f"no second one starts beside it: {failed}") from None
    try:
        for number, each in enumerate(webhooks):
            one = other if number % 2 else course.connector
            course.delivered.setdefault(each.mark, []).append(
                one.post(each.body, each.headers(course.secret, course.connector.url)))
    finally:
        other.kill()
    course.take(webhooks)
    course.settle()
    for each in webhooks:
        is_once(course, each)


def texts_of(secret):
    """How JSON may write a secret."""
    return [json.dumps(secret, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False)]


@case("no secret and no payload is in its log", "answer-the-provider", "command")
def canary(course):
    course.take([course.webhook()])
    log = course.connector.lines()
    for name, secrets in {"password": [course.service.password, *texts_of(course.service.password)], "secret of the webhook": [course.secret],
                          "token": course.gateway.tokens}.items():
        if any(each and each in log for each in secrets):
            raise Failed(f"the log has the {name}")
    if line := next(filter(MARK.search, log.splitlines()), None):
        raise Failed("the log has a payload", [line[:100]])


@case("kill -9 at any moment loses nothing that was answered 2xx, and doubles nothing", "test-your-own-connector",
      "command")
def kill(course):
    if not course.options.kills:
        raise NotAsked("--kills is 0")
    webhooks, deadline = [], course.deadline - SPARE
    for number in range(course.options.kills):
        if time.monotonic() > deadline:
            break
        some = course.webhooks(6)
        webhooks += some
        delay = course.random.uniform(0, 0.3) ** 2 * 3
        course.meanwhile(lambda: course.deliver_all(some, 3), lambda: time.sleep(delay), course.connector.kill)
        course.connector.start()
        course.say(f"kill {number + 1} of {course.options.kills}")
    course.take(webhooks)
    course.settle()
    for each in webhooks:
        is_once(course, each)
