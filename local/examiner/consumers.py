"""How an exam judges a consumer: what it gives to the feed, how long it waits, and what the consumer should have."""
import json, subprocess, time, uuid
from collections import Counter
from contextlib import contextmanager
from itertools import groupby
from urllib.parse import parse_qsl
from operators.command import Failure
from .feed import LOOKS_AT, PAGES, Erasure, Event, time_text
from .gateway import EVENTS
from .judge import MOST_SHOWN, Failed, Patience, Run
from .program import Program

PAUSE = 0.2  # seconds: the setting PAUSE of a consumer
LONGEST_HAS = 60  # seconds
EVENT_TYPE = "shopify.orders/create"
PAYLOAD = {"id": 820982911946154508, "title": "a title", "total_price": "7.00", "currency": "EUR",
           "line_items": [{"price": "7.00"}]}


def filled(command, share):
    """The command for a share, such as 1/2: {share} is the share, and {name} may be a part of a file's name."""
    return command.replace("{share}", share).replace("{name}", share.replace("/", "of"))


class Reading(Run):
    """A run with a consumer: the feed that it reads, and the events of each row."""

    def __init__(self, feed, settings, payload, pulse, options):
        super().__init__(feed, pulse, options)
        self.feed, self.settings, self.events = feed, settings, {}
        self.payload, self.created = payload, time.time() - 86_400
        self.consumer = self.program()
        self.can.update(["share"] * ("{share}" in options.consumer), ["kills"] * bool(options.kills))

    def program(self, share="1/1"):
        return Program(filled(self.options.consumer, share), self.settings)

    def begin(self, row):
        super().begin(row)
        self.events[row], self.begun, self.asked = [], len(self.feed.entries), len(self.feed.calls)
        self.feed.looks_at = LOOKS_AT

    def end(self, has_passed):
        """A consumer that has failed is started again, without the events of this row: it may pass the next one."""
        if not has_passed:
            self.events[self.row] = []
            self.feed.skip(self.begun)
            self.restart()

    def restart(self):
        self.consumer.kill()
        self.consumer.start()

    def event(self, members="", thing=None, version=None, id=None, brand=None, is_large=False, more="", **meta):
        """An event that nobody has yet. Its members, if not the usual ones, and more of them begin with a comma."""
        self.made += 1
        self.created += 0.01
        meta = {"source": "exam", "brand_id": brand or f"{self.row}.example.com",
                "object": f"exam:Thing:{self.row}-{thing or self.made}",
                "version": version or f"{self.made:06}", **meta}
        id = id or str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        members = members or "".join(f",{json.dumps(name)}:{json.dumps(value)}" for name, value in self.payload.items())
        mark = f"exam-{self.options.seed}-{self.row}-{self.made}"
        return Event(id, time_text(self.created), self.options.event_type or EVENT_TYPE, mark, meta, members + more, is_large)

    def publish(self, *entries):
        """Gives them to the feed. They belong to this row."""
        self.events[self.row] += [each for each in entries
                                  if isinstance(each, Event) and each not in self.events[self.row]]
        self.feed.publish(*entries)

    def erase(self, *events):
        for each in events:
            each.end = "erased"
        self.publish(*map(Erasure, events))

    def give(self, *entries):
        """The consumer shall have all of this row, after these too."""
        self.publish(*entries)
        self.check()

    def check(self):
        self.come()
        patience = Patience(self)
        while why := self.wrong(self.row, self.has()):
            patience.check(why, self.shown(), 0.25)
            time.sleep(0.1)

    def calls(self, since=0, path=EVENTS):
        return [each for each in self.feed.calls[since:] if each.path.startswith(path)]

    def shown(self):
        """The last requests of this row, each but once after another."""
        return [each for each, _ in groupby(map(str, self.calls(self.asked)))][-MOST_SHOWN:]

    def asks(self, place, share=""):
        """Whether a page after this place was asked for in this row. The consumer has then stored all before it."""
        wanted = {("cursor", place), *[("share", share)] * bool(share)}
        return any(wanted <= set(parse_qsl(each.path.partition("?")[2])) for each in self.calls(self.asked, PAGES))

    def come(self, consumer=None, share=""):
        """Waits until the consumer has come to the end of the feed."""
        consumer, patience, place = consumer or self.consumer, Patience(self), self.feed.place
        while not self.asks(place, share):
            said = [each for each in consumer.lines()[-300:].split("\n") if each.strip()][-2:]
            if consumer.has_ended:
                raise Failed(f"the consumer has ended with {consumer.process.returncode}; it is started again", said)
            patience.check(f"it has not come to the end of the {f'share {share}' if share else 'feed'} for"
                           " {seconds} s", self.shown()[-3:] + said)
            time.sleep(0.02)

    def soon(self, condition):
        """Whether this comes true within a while."""
        patience = Patience(self)
        while not condition() and patience.seconds < self.options.patience / 4:
            patience.check("", ())
            time.sleep(0.02)
        return condition()

    @contextmanager
    def logging_in(self):
        """Starts the consumer again with an address and a password, and afterwards with its static token."""
        user = {f"CONSUMER_{name.upper()}": each for name, each in self.feed.user.items()}
        self.consumer.settings = {**self.settings, **user}
        del self.consumer.settings["CONSUMER_TOKEN"]
        self.restart()
        try:
            yield
        finally:
            self.feed.renew()
            self.consumer.settings = self.settings
            self.restart()

    def has(self, share="1/1"):
        """What the consumer has: events, and latest states."""
        try:
            run = subprocess.run(filled(self.options.has, share), shell=True, capture_output=True, text=True,
                                 errors="replace", timeout=LONGEST_HAS, stdin=subprocess.DEVNULL)
            lines = [json.loads(each, parse_int=str, parse_float=str)
                     for each in run.stdout.split("\n") if each.strip()]
            events = Counter((each["id"], each["created_at"]) for each in lines if "object" not in each)
            for each in lines:
                if "object" in each:
                    (each["brand_id"], each["version"], each["is_deleted"])
        except (ValueError, LookupError, TypeError, subprocess.TimeoutExpired) as error:
            raise Failure(f"--has must print one JSON object a line, as the page says: {error!r}") from None
        if run.returncode:
            raise Failure(f"--has ends with {run.returncode}: {run.stderr[-300:].strip()}")
        states = [each for each in lines if "object" in each]
        self.can.update(["states"] * bool(states))
        return events, states

    def wrong(self, row, has, share=None):
        """What is wrong with what the consumer has of a row's events, in words. None if nothing is."""
        (had, states), events = has, [each for each in self.events[row] if not share or share(each)]
        known = {(each.id, each.created_at) for each in events}
        for each in events:
            count, name = had[each.id, each.created_at], f"the event {each.id} of {each.created_at}"
            if count > 1:
                return f"it has {name} {count} times"
            if count and each.end == "erased":
                return f"it has {name}, which was erased"
            if not count and not each.end:
                return f"it does not have {name}"
        ids, brands = ({getattr(each, name) for each in self.events[row]} for name in ("id", "brand"))
        for name, created_at in had:
            if name in ids and (name, created_at) not in known:
                return f"it has {name} of {created_at}, which is no event of this {'share' if share else 'feed'}"
        states = [each for each in states if each["brand_id"] in brands]
        return self.wrong_states(events, states) if "states" in self.can else None

    @staticmethod
    def wrong_states(events, states):
        there = sorted((each for each in events if not each.end), key=lambda each: each.newness)
        latest = {(each.brand, each.object): each for each in there}  # two brands may have the same object
        expired = {(each.brand, each.object) for each in events if each.end == "expired"}
        several = Counter((each["brand_id"], each["object"]) for each in states)
        for each in states:
            thing = each["brand_id"], each["object"]
            name, event = each["object"], latest.pop(thing, None)
            if several[thing] > 1:
                return f"it has {several[thing]} latest states of {name}"
            if not event and thing in expired:
                continue
            if not event:
                return f"it has a state of {name}, of which no event is left that it has read"
            words, is_deleted = ("no deletion", "a deletion"), each["is_deleted"] in (True, "1", "true", "t")
            if (each["version"], is_deleted) != (event.version, event.is_deleted):
                return (f"its latest state of {name} has the version {each['version']}, {words[is_deleted]}. The latest"
                        f" is {event.version}, {words[event.is_deleted]}")
            text = each.get("state", event.mark + " ".join(event.exact))
            text = text if isinstance(text, str) else json.dumps(text)
            if event.mark not in text:
                return f"its latest state of {name} is not that of {event.mark}"
            if changed := [number for number in event.exact if number not in text]:
                return f"its state of {name} does not have the number {changed[0]}"
        # A deleted thing may have no state. A brand that no database takes is another one there.
        lost = next((each.object for each in latest.values() if not each.is_deleted and each.brand.isprintable()), None)
        return f"it has no state of {lost}" if lost else None

    def late(self):
        """What was wrong only after a row had passed."""
        passed = [row for row, events in self.events.items() if events]
        has = self.has() if passed else None
        for row in passed:
            if why := self.wrong(row, has):
                yield row, f"in the end, {why}", self.shown()
