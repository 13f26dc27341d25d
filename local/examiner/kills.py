"""Rows that need the connector's process: its memory, kills, and its log."""
import time
from .cases import case
from .events import is_once
from .gateway import Answer
from .judge import Failed, NotAsked
from .webhooks import MARK

ROUNDS, TRIES, LARGE = 4, 8, 5_000_000  # of the row `memory`: rounds after the first one, tries in each, bytes
UNAVAILABLE = Answer(503, {"Content-Type": "application/problem+json", "Retry-After": "9"},
                     b'{"status":503,"code":"temporarily_unavailable"}')
SPARE = 60  # seconds of the exam that the kills leave for what comes after them


@case("the memory does not grow with the tries of a large event", "answer-the-provider", "command", "JSON")
def memory(course):
    """A heap may grow for a while. A leak grows in each round, by the event's size at each try."""
    webhook, grown = course.webhook('"large":"' + "abcdefgh" * (LARGE // 8) + '"'), []
    with course.gateway.ruled(lambda call: UNAVAILABLE):
        for _ in range(ROUNDS + 1):
            before = course.connector.memory()
            for _ in range(TRIES):
                course.deliver(webhook)
            after = course.connector.memory()
            if not before or not after:
                raise NotAsked("this system does not show the memory of a process")
            grown.append(after - before)
            if grown[1:] and grown[-1] < 0.7 * TRIES * LARGE:
                break
        else:
            raise Failed(f"{len(grown) * TRIES} tries of a webhook of 5 MB took {sum(grown) // 1_000_000} MB of memory,"
                         " which stay taken")
    course.take([webhook])


@case("no secret and no payload is in its log", "answer-the-provider", "command")
def canary(course):
    course.take([course.webhook()])
    log = course.connector.lines()
    for name, secrets in {"password": [course.service.password], "secret of the webhook": [course.secret],
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
