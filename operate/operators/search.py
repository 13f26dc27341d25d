"""Searches payloads: the options that say for what, and what FindEventsFunction finds."""
import json, shlex
from argparse import ArgumentTypeError
from decimal import Decimal
from operators.command import pages, progress, say, table_of

FUNCTION = "FindEventsFunction"
MOST_CONDITIONS, MOST_HINTS, MOST_PLACES = 10, 3, 20
LEAST_TEXT, MOST_TEXT = 3, 255  # characters
OPTIONS = {"--where": "equals", "--where-ignoring-case": "equals_ignoring_case", "--where-containing": "contains"}
NONE_FOUND, NOT_JUDGED = 3, 4  # exit codes


def conditions(words):
    """The type of --where: a pointer, and the values of which one is expected there."""
    pointer, value = parted(words, "VALUE, such as /customer/id=207119551")
    text = unquoted(value)
    values = [text] if text != value else list(dict.fromkeys([scalar(value), value]))
    return [{"pointer": pointer, "equals": each} for each in values]


def conditions_ignoring_case(words):
    """The type of --where-ignoring-case."""
    pointer, value = parted(words, "TEXT, such as /email=zoe@example.com")
    return [{"pointer": pointer, "equals_ignoring_case": unquoted(value)}]


def conditions_containing(words):
    """The type of --where-containing."""
    pointer, value = parted(words, "TEXT, such as /note=zoe@example.com")
    return [{"pointer": pointer, **containing(unquoted(value))}]


def containing(words):
    """The type of --anywhere. A space at an end of a copied text would hide the places without it."""
    words = words.strip()
    if not LEAST_TEXT <= len(words) <= MOST_TEXT:
        raise ArgumentTypeError(f"needs a text of {LEAST_TEXT} to {MOST_TEXT} characters: '{words}'")
    return {"contains": words}


def parted(words, example):
    pointer, equals, value = words.partition("=")
    if not equals:
        raise ArgumentTypeError(f"needs POINTER={example}")
    if not value:  # of a variable that is not set, perhaps: many events have an empty text there, of anybody
        raise ArgumentTypeError(f"""has no value; '{pointer}=""' is the empty text""")
    return pointer, value


def unquoted(value):
    """The text of a value that may be in quotes."""
    if not (value.startswith('"') or value.endswith('"')):
        if value != value.strip():  # of a copied text, perhaps: with it, 55 would not find the text "55"
            raise ArgumentTypeError(f"""has a space at an end: '{value}'; put it in quotes, as in '/a="5 "'""")
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise ArgumentTypeError(f'has an unbalanced quote: {value}; in JSON, "a\\"b" is the text a"b') from None


def scalar(value):
    """The value of a JSON scalar; of any other text, the text itself."""
    try:
        parsed = json.loads(value, parse_float=Decimal, parse_constant=Decimal)
    except (ValueError, ArithmeticError):
        return value
    if isinstance(parsed, (dict, list)):
        return value
    if not isinstance(parsed, Decimal):
        return parsed
    if not parsed.is_finite():  # NaN, Infinity: Python's json takes them, JSON does not
        return value
    if Decimal(repr(float(parsed))) != parsed:
        why = f"cannot send the number {value} exactly"
        raise ArgumentTypeError(f"{why}: invoke {FUNCTION} with it; put a text in quotes")
    return float(parsed)


def events(count):
    return f"{count} event" if count == 1 else f"{count} events"


def add_options(parser):
    """Adds the options of conditions on places in a payload."""
    parser.add_argument("--where", type=conditions, action="extend")
    parser.add_argument("--where-ignoring-case", type=conditions_ignoring_case, action="extend", dest="where")
    parser.add_argument("--where-containing", type=conditions_containing, action="extend", dest="where")


def conditions_of(parser, options, texts):
    """All conditions of the options, and of texts in any place."""
    found = (options.where or []) + (texts or [])
    if len(found) > MOST_CONDITIONS:
        parser.error(
            f"{len(found)} conditions, and {MOST_CONDITIONS} are the most. A number counts twice: as a number"
            " and as a text; in quotes it is only the text. Part them into several runs"
        )
    return found


def find(target, request):
    """What a search says: the ids of the events that an erasure would take, and what else there is to know."""
    lists, sums = ("ids", "hints", "not_judged", "places"), ("searched", "read_units")
    found = {**{name: [] for name in lists}, **dict.fromkeys(sums, 0), "more_places": False}
    for page in pages(target, FUNCTION, {name: value for name, value in request.items() if name != "reason"}):
        for name in lists:
            found[name] += page.get(name, [])
        for name in sums:
            found[name] += page.get(name, 0)
        found["more_places"] |= page.get("more_places", False)
        # The first page's: what it holds, the later pages hold too.
        found.setdefault("whole", {name: page[name] for name in ("whole_since", "whole_until") if name in page})
        progress(f"{events(len(found['ids']))} found of {found['searched']} searched")
    progress("")
    return found


def say_hints(found):
    """Says what a search that has found nothing would have found with other options."""
    for hint in list(dict.fromkeys(found["hints"]))[:MOST_HINTS] if not found["ids"] else ():
        what, _, condition = hint.partition(": ")
        say(f"  Hint: {what}: {printable(option_of(condition))}")


def option_of(condition):
    """The option that looks for a condition, as the function writes it."""
    members = json.loads(condition, parse_int=str, parse_float=str)
    option, name = next((option, name) for option, name in OPTIONS.items() if name in members)
    value = members[name]
    if not isinstance(value, str):
        value = json.dumps(value)  # true, false or null
    elif f'"{name}":"' in condition:  # else a number, in its own digits
        needs_quotes = option == "--where" or value != value.strip() or '"' in (value[:1], value[-1:])
        value = json.dumps(value, ensure_ascii=False) if needs_quotes else value
    return f"{option} {shlex.quote(members['pointer'] + '=' + value)}"


def say_places(found):
    """Says where the texts of --anywhere were found, the most frequent places first."""
    counts = {}
    for place in found["places"]:
        key = place["event_type"], printable(place["pointer"])
        counts[key] = counts.get(key, 0) + place["events"]
    rows = sorted(((*key, count) for key, count in counts.items()), key=lambda row: (-row[-1], row))
    if rows:
        table = table_of(("event type", "place", "events"), rows[:MOST_PLACES])
        others = "\nand others" if found["more_places"] or rows[MOST_PLACES:] else ""
        say(f"{table}{others}\n")


def printable(text):
    """A text of a payload, which must not command the terminal: a sender wrote it."""
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text)


def say_not_judged(ids, advice):
    if ids:
        say(f"{events(len(ids))} could not be judged. {advice}:")
        say("".join(f"  {id}\n" for id in ids))


def exit_code(found, not_judged):
    return NOT_JUDGED if not_judged else 0 if found else NONE_FOUND


def time_of(parsed):
    """An option's time, as a function takes it."""
    return parsed and parsed.isoformat()
