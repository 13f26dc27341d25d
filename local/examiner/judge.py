"""How an exam judges: what it delivers, how long it waits, and when an event is lost, doubled or changed."""
import base64, json, random, re, subprocess, threading, time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

MOST_SHOWN = 6  # requests of a row
LONGEST_PAUSE = 15  # seconds that docs/connectors.md lets a connector wait
WATCH, MOST_TRIES = 2, 4  # seconds at least in which a try too many would come, and how many tries are right


def mark_of(webhook):
    return webhook.mark


def row_of(mark):
    return mark.split("-", 2)[2].rpartition("-")[0]


class Verdict(Exception):
    """Ends a row before its end. Its text says why, in plain words."""

    def __init__(self, text, shown=()):
        super().__init__(text)
        self.text, self.shown = text, [str(each) for each in shown][:MOST_SHOWN]


class Failed(Verdict):
    kind = "FAILED"


class Open(Verdict):
    kind = "open"


class NotAsked(Verdict):
    kind = "not asked"


class Run:
    """One run of an exam, of connectors or of consumers: its clock and its random numbers."""

    def __init__(self, gateway, pulse, options):
        self.gateway, self.pulse, self.options, self.say = gateway, pulse, options, lambda text: None
        self.row, self.made, self.random = "", 0, random.Random()
        self.can = set()  # what rows may need, of cases.NEEDS
        self.deadline = time.monotonic() + options.longest

    def begin(self, row):
        """Each row has random numbers of its own, so that a row alone asks what it asks among the others."""
        self.row, self.made, self.random = row, 0, random.Random(f"{self.options.seed} {row}")

    def end(self, has_passed):
        pass

    def sleep(self, seconds, what):
        """Sleeps, by the clock of the healthy machine."""
        patience = Patience(self)
        while patience.seconds < seconds:
            patience.check(what, (), float("inf"))
            time.sleep(0.02)

    def wait(self, condition, what, pause=0.02):
        patience = Patience(self)
        while not condition():
            patience.check(f"{what}, for {{seconds}} s", (), 2)
            time.sleep(pause)


class Course(Run):
    """A run with a connector: its parts, and what all its rows share."""

    def __init__(self, template, service, gateway, connector, pulse, secrets, options):
        super().__init__(gateway, pulse, options)
        self.template, self.service, self.connector = template, service, connector
        self.secret, self.secret_2 = secrets
        self.delivered = {}  # the answers, by marks
        self.expected, self.any_count = {}, set()  # how often events are stored, if not once; which may be so at all
        self.watched = {}  # since when what was refused for good should not be sent again, by marks

    def webhook(self, more="", template=None, **values):
        self.made += 1
        mark = f"exam-{self.options.seed}-{self.row}-{self.made}"
        return (template or self.template).webhook(mark, self.random.randrange(10**9, 10**10), more, **values)

    def webhooks(self, count):
        return [self.webhook() for _ in range(count)]

    def deliver(self, webhook, headers=None):
        """Delivers a webhook once, and returns the answer."""
        headers = webhook.headers(self.secret, self.connector.url) if headers is None else headers
        delivery = self.connector.post(webhook.body, headers)
        self.delivered.setdefault(webhook.mark, []).append(delivery)
        return delivery

    def deliver_all(self, webhooks, at_once=8):
        with ThreadPoolExecutor(at_once) as provider:
            return list(provider.map(self.deliver, webhooks))

    def deliver_until_taken(self, webhooks, at_once=8):
        """Delivers each until it gets a 2xx, as a provider does, but with shorter pauses."""
        with ThreadPoolExecutor(at_once) as provider:
            list(provider.map(self.until_taken, webhooks))

    def until_taken(self, webhook, times=1):
        patience = Patience(self)
        while True:
            delivery = self.deliver(webhook)
            if 200 <= delivery.status < 300:
                return
            patience.check(
                f"its answer to a good webhook is still {delivery.status or 'none'}, {{seconds}} s after the service"
                " was well again", self.gateway.of([webhook.mark])[-3:], times)
            time.sleep(0.2)

    def is_taken(self, webhook):
        return any(200 <= each.status < 300 for each in self.delivered.get(webhook.mark, ()))

    def take(self, webhooks, at_once=8):
        """All of these shall be stored once and unchanged: those that got no 2xx are delivered again."""
        self.deliver_until_taken([each for each in webhooks if not self.is_taken(each)], at_once)
        self.wait_for(webhooks)
        for each in webhooks:
            self.is_as_sent(each)

    def wait_for(self, webhooks):
        """Waits until each is stored. An event is lost if it has not come while later ones have, for long enough.

        A connector that still works on what came before is not late.
        """
        patience, idle, probes, settled = Patience(self), Patience(self), [], 0
        while True:
            self.service.look()
            missing = [each for each in webhooks if not self.service.count(each.mark)]
            if not missing:
                return
            if self.connector.has_ended:
                raise Failed("the connector has ended", [self.connector.lines()[-200:].strip()])
            if patience.is_over and sum(map(self.service.count, map(mark_of, probes))) >= 2:
                raise self.lost(missing, webhooks, patience)
            if settled != (settled := self.gateway.settled()):
                idle = Patience(self)
            some, shown = f"{len(missing)} of {len(webhooks)} events", self.gateway.of(map(mark_of, missing))
            idle.check(f"{some} are not stored: {self.got(missing)}, and it has sent none for {{seconds}} s, while the"
                       " service was well", shown[-MOST_SHOWN:], 2)
            if len(probes) < 3 and patience.seconds > self.options.patience * (len(probes) + 1) / 4:
                probes.append(self.webhook())
                self.deliver(probes[-1])
            time.sleep(0.2)

    def lost(self, missing, webhooks, patience):
        return Failed(
            f"{len(missing)} of {len(webhooks)} events are lost: {self.got(missing)}, and {patience.seconds:.0f} s"
            " later they are not stored, while later ones are",
            self.gateway.of(map(mark_of, missing))[-MOST_SHOWN:] or ["no request had one of them"])

    def got(self, webhooks):
        """What the provider got for these, in words."""
        answers = sorted({each.status for one in webhooks for each in self.delivered.get(one.mark, ())})
        return f"the provider got {', '.join(str(each or 'no answer') for each in answers)}"

    def is_in_time(self, deliveries, patience, shown=()):
        """A provider waits for an answer only so long. Open if this machine was busy since the patience began."""
        slowest = max(deliveries, key=lambda each: each.seconds)
        if slowest.status and slowest.seconds <= self.options.waits + 1:
            return
        if patience.seconds < 0.8 * (time.monotonic() - patience.wall) - 1:
            raise Open(f"an answer took {slowest.seconds:.0f} s, but this machine was busy")
        raise Failed(
            f"the provider waits {self.options.waits} s for an answer, and got {slowest.status or 'none'} after"
            f" {slowest.seconds:.0f} s", shown)

    def is_as_sent(self, webhook):
        for stored in self.service.events.get(webhook.mark, ())[:1]:
            if change := webhook.differs(stored.payload):
                raise Failed(f"the payload was changed: {change}", self.gateway.of([webhook.mark])[-1:])

    def settle(self):
        """Waits until a later event is stored. What was to come before it has then had its turn."""
        self.take([self.webhook()])

    def meanwhile(self, action, *others):
        """Does the others while the action goes on, and waits for its end."""
        thread = threading.Thread(target=action, daemon=True)
        thread.start()
        for each in others:
            each()
        thread.join()

    def keeps(self, webhook):
        """Whether all of it is in what the command of --kept prints, as it is, as a text in JSON, or in base64."""
        run = subprocess.run(self.options.kept, shell=True, capture_output=True, text=True, errors="replace")
        texts = [run.stdout]
        for line in run.stdout.splitlines():
            with suppress(ValueError, RecursionError):
                texts += filter(lambda each: isinstance(each, str), json.loads(line, parse_int=str).values())
        coded = re.findall("(?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/]{2,3}={1,2})?", run.stdout)
        texts += [base64.b64decode(each).decode("utf-8", "replace") for each in coded]
        if webhook.template.is_form:
            return any(webhook.mark in each for each in texts)
        body, more = webhook.body.decode("utf-8", "replace").strip(), webhook.values["more"]
        own = body.rstrip("]}")[:-1]  # at its end, _meta is perhaps in it
        if webhook.template.is_one_of_many:  # a connector keeps the element, not the list around it
            place = body.index(more)
            own = body[body.rindex("[", 0, place) + 1 : place + len(more)].strip()
        return any(own in each for each in texts)

    def late(self):
        """What was seen only after a row had passed: the name of the row, what is wrong, and the requests."""
        if self.watched:
            time.sleep(max(0.0, max(self.watched.values()) + WATCH - time.monotonic()))
        self.service.look()
        for mark, stored in self.service.events.items():
            if len(stored) > self.expected.get(mark, 1) and mark not in self.any_count:
                yield row_of(mark), f"in the end, an event is stored {len(stored)} times", self.gateway.of([mark])
        for mark, since in self.watched.items():
            if len(tries := self.gateway.of([mark], since)) > MOST_TRIES:
                yield row_of(mark), f"it sends what is refused again and again: {len(tries)} times so far", tries[-3:]


class Patience:
    """The healthy seconds since its beginning, and how many of them are enough."""

    WALL = 8  # times as long at most, by the clock on the wall

    def __init__(self, course):
        self.course, self.begun, self.wall = course, course.pulse.seconds, time.monotonic()

    @property
    def seconds(self):
        return self.course.pulse.seconds - self.begun

    @property
    def is_over(self):
        return self.seconds > self.course.options.patience

    def check(self, text, shown, times=1):
        """Ends the row if it has waited for long enough; open if the machine had too little time for it."""
        waited, most = time.monotonic() - self.wall, self.course.options.patience
        if self.seconds > times * most:
            raise Failed(text.format(seconds=round(self.seconds)), shown)
        if waited > self.WALL * most:
            raise Open(f"{waited:.0f} s were not enough: this machine was busy for most of them")
