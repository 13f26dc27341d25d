"""The proofs of erasures, and what they mean for events that were erased by mistake."""
import hashlib
from operators.command import moment, pages, progress
from operators.consumer import CLOCKS
from operators.copies import brand
from operators.search import FUNCTION


def erasures(target):
    return [erasure for page in pages(target, FUNCTION, {"list": True}) for erasure in page["erasures"]]


def steps(target, erasure_id):
    """The pages that have the ids of an erasure, step by step."""
    return pages(target, FUNCTION, {"show": erasure_id, "ids": True})


def is_of(brand, erasure):
    """Whether the erasure selected by this brand. The proof has only a salted hash of it."""
    return hashlib.sha256((erasure.get("salt", "") + brand).encode()).hexdigest() == erasure.get("brand_sha256")


class Others:
    """The erasures that were right: all but the wrong ones. `first` is when the first of the wrong ones began.

    What had ended before `oldest`, when the oldest of the events was created, has not named one of them.
    """

    def __init__(self, target, wrong, oldest):
        self.target, self.wrong, self.oldest = target, {each["erasure_id"] for each in wrong}, oldest
        self.first = min(moment(each["begun"]) for each in wrong)
        self.ended, self.named, self.shown = set(), {}, set()

    def read(self):
        """Reads what there is now. The steps of what had ended the last time stay as they are."""
        listed = [each for each in erasures(self.target) if each["erasure_id"] not in self.wrong]
        others = [each for each in listed if "ended" not in each or moment(each["ended"]) + CLOCKS >= self.oldest]
        for count, erasure in enumerate(others, 1):
            id = erasure["erasure_id"]
            progress(f"reads erasure {count} of {len(others)}")
            for step in steps(self.target, id) if id not in self.ended else ():
                self.named.update(dict.fromkeys(step["ids"] + step.get("named", []), id))
            if "ended" in erasure:
                self.ended.add(id)
        progress("")
        self.of_brands = [each for each in others if each["selector"] == "brand_id"]
        self.of_others = [each for each in others if each["selector"] != "brand_id"]
        self.by_brand = {None: []}

    def why_erased(self, item):
        """Why an event stays erased, or None."""
        if item["id"]["S"] in self.named:
            return f"erasure {self.named[item['id']['S']]} names it too"
        for erasure in self.that_saw(item):
            if not erasure["narrowed"]:
                return f"erasure {erasure['erasure_id']} of its brand would have taken it"
        return None

    def that_saw(self, item):
        """The erasures of an event's brand that would have seen it. They take what is created within a minute, too."""
        name, created = brand(item), moment(item["created_at"]["S"])
        if name not in self.by_brand:
            self.by_brand[name] = [each for each in self.of_brands if is_of(name, each)]
        return [
            each
            for each in self.by_brand[name]
            if created < min(moment(each["begun"]) + CLOCKS, moment(each.get("to", "9999-01-01T00:00:00Z")))
        ]

    def to_make_again(self, items):
        """Those of which nothing tells whether they would have taken some of these events, and not shown so far."""
        narrowed = {each["erasure_id"]: each for item in items for each in self.that_saw(item) if each["narrowed"]}
        found = [
            each
            for each in [*self.of_others, *narrowed.values()]
            if "ended" not in each or moment(each["ended"]) >= self.first  # one that ran beside it may have missed events
            if each["erasure_id"] not in self.shown
        ]
        self.shown.update(each["erasure_id"] for each in found)
        return sorted(found, key=lambda each: moment(each["begun"]))
