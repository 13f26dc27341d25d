"""Rows about tokens and rights: one login for all, a refresh in time, and no event lost when a right ends."""
import time
from .cases import case
from .gateway import LOGIN, REFRESH
from .judge import Failed, NotAsked, Open

LIFETIME, SHORT = 5, 1  # seconds of tokens whose end the exam watches
MOST_TRIES = 12  # of an event outside the scope, in a second or two
ENOUGH = 2  # logins where one suffices: two threads may begin at once
SLOW = 2  # seconds of a login, which takes some tenths


def needs_login(course):
    if not course.gateway.count(LOGIN):
        raise NotAsked("the connector does not log in: it has a static token")


def shown(course, since):
    return [call for call in course.gateway.calls.copy() if call.at >= since and call.path in (LOGIN, REFRESH)]


@case("one login serves for all webhooks", "authenticate")
def logins(course):
    needs_login(course)
    begun = time.monotonic()
    webhooks = course.webhooks(12)
    for each in webhooks[:4]:
        course.deliver_until_taken([each])
    course.take(webhooks, 4)
    are_enough(course, begun, f"for {len(webhooks)} events: a login costs bcrypt, and all connectors share one limit")


def are_enough(course, since, when):
    """Open if logins were slow: a connector may have given up on one, and tried another."""
    calls = [call for call in shown(course, since) if call.path == LOGIN]
    if len(calls) > ENOUGH and max(call.seconds for call in calls) > SLOW:
        raise Open(f"it logged in {len(calls)} times, but a login took more than {SLOW} s: this machine was busy")
    if len(calls) > ENOUGH:
        raise Failed(f"it logged in {len(calls)} times {when}", shown(course, since))


def deliver_until(course, is_seen):
    """Delivers webhooks until the connector has met a change of its user, which may take 5 s. Returns the webhooks."""
    webhooks = []

    def deliver():
        webhooks.append(course.webhook())
        delivery = course.deliver(webhooks[-1])
        if 400 <= delivery.status < 500:
            raise Failed(f"the provider got {delivery.status}, as if its webhook was wrong",
                         course.gateway.of([webhooks[-1].mark]))
        time.sleep(0.2)
        return is_seen()

    course.wait(deliver, "it has sent no event to which the change applies")
    return webhooks


def is_ended(course, since):
    """Whether the connector has heard that its token has ended."""
    return any(call.status == 401 or call.path == LOGIN for call in course.gateway.calls.copy() if call.at >= since)


@case("after its token is revoked, it logs in once, and sends the event again", "authenticate")
def revoked(course):
    needs_login(course)
    begun = time.monotonic()
    course.service.manage("revoke-tokens")
    course.take(deliver_until(course, lambda: is_ended(course, begun)))
    are_enough(course, begun, "after its token has ended")


@case("it refreshes its token at 80 % of its lifetime", "authenticate")
def refreshed(course):
    needs_login(course)
    begun = time.monotonic()
    ends = new_token(course, LIFETIME)
    course.gateway.lifetime = LIFETIME
    while time.monotonic() < ends - 0.12 * LIFETIME:
        time.sleep(0.02)
    webhook = course.webhook()
    course.take([webhook])
    course.gateway.lifetime = None
    if course.gateway.count(REFRESH, begun):
        return
    calls = [call for call in course.gateway.of([webhook.mark]) if call.at < ends]
    if not calls:
        raise Open("this machine was too busy to send an event between 80 % of the lifetime and its end")
    raise Failed("it asked for no new token before the old one ended", shown(course, begun) + calls)


@case("after its token has expired, it logs in, and sends the event again", "authenticate")
def expired(course):
    needs_login(course)
    ends = new_token(course, SHORT)
    while time.monotonic() < ends + 0.2:
        time.sleep(0.02)
    begun = time.monotonic()
    course.take(course.webhooks(3))
    are_enough(course, begun, "after its token has ended")


def new_token(course, seconds):
    """Lets the connector get a token that lives for so long. Returns when it ends."""
    course.gateway.lifetime = seconds
    course.gateway.expire_all()
    course.take([course.webhook()])
    course.gateway.lifetime = None
    ends = max(course.gateway.issued.values())
    if not ends:
        raise Failed("it sends on with a token that has expired, and asks for no other", course.gateway.calls[-3:])
    return ends


@case("an event outside its scope is not dropped, and waits for an operator", "answer-the-provider")
def scope(course):
    begun = time.monotonic()

    def refused():
        return [call for call in course.gateway.calls.copy() if call.at >= begun and "forbidden" in call.note]

    course.service.manage("set-scope", event_types=["other.*"])
    try:
        webhooks = deliver_until(course, refused)
        course.sleep(1, "it waits for further tries")
        tries = refused()
    finally:
        course.service.manage("set-scope", event_types=None)
    if len(tries) > MOST_TRIES * len(webhooks):
        raise Failed(f"it sent {len(webhooks)} events {len(tries)} times in a second or two", tries)
    if any(map(course.is_taken, webhooks)) and course.connector.command:
        course.connector.restart()  # an outbox may try such an event rarely, and at its start
    elif any(map(course.is_taken, webhooks)):
        course.settle()
        if not all(course.service.count(each.mark) for each in webhooks):
            raise Open("it was answered 2xx: with an outbox, the event may be tried again later. --command would start"
                       " the connector anew")
    course.take(webhooks)


@case("after its password was replaced, it tries one login, and then pauses", "authenticate")
def password(course):
    needs_login(course)
    begun = time.monotonic()
    course.service.manage("reset-password", password="another password")
    try:
        webhooks = deliver_until(course, lambda: is_ended(course, begun))
        for _ in range(2):
            course.sleep(1, "it waits for further logins")
            webhooks.append(course.webhook())
            course.deliver(webhooks[-1])
    finally:
        course.service.manage("reset-password", password=course.service.password)
    are_enough(course, begun, "with a wrong password: ten keep the address out")
    if course.connector.command:
        course.connector.restart()
        course.take(webhooks)
