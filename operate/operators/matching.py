"""Judges the conditions of a search on a payload, as FindEventsFunction does, which reads no other table."""
import json, unicodedata
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context
from operators.consumer import loads

number = Context(MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[]).create_decimal  # exact; further out it equals none


def matches(payload, conditions):
    """Whether a payload fulfils any of the conditions, as operators/search.py makes them."""
    parsed, wanted = (loads(text, number, number) for text in (payload, json.dumps(conditions)))
    return any(is_so(value, each) for each in wanted for value in values(parsed, path_of(each.get("pointer"))))


def is_so(value, condition):
    if "equals" in condition:
        return type(value) is type(condition["equals"]) and value == condition["equals"]
    if not isinstance(value, str):
        return False
    if "contains" in condition:
        return folded(condition["contains"]) in folded(value)
    return folded(condition["equals_ignoring_case"]) == folded(value)


def folded(text):
    """As the service's Unicode.foldCase."""
    upper = unicodedata.normalize("NFC", text).upper().replace("\u03a3", "\u03c3")
    return unicodedata.normalize("NFC", upper.lower())


def path_of(pointer):
    return pointer and [each.replace("~1", "/").replace("~0", "~") for each in pointer[1:].split("/")]


def values(value, path):
    """Yields the values at a path, in which * is each element of an array; without one, all values."""
    if not path:
        yield value
    for name, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if path is None or path and path[0] in (str(name), "*" if isinstance(value, list) else name):
            yield from values(each, path and path[1:])
