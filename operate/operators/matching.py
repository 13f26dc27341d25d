"""Judges the conditions of a search on a payload, as FindEventsFunction does, which reads no other table."""
import json, unicodedata
from decimal import Decimal
from operators.consumer import loads


def matches(payload, conditions):
    """Whether a payload fulfils any of the conditions, as operators/search.py makes them."""
    parsed = loads(payload, number, number)
    return any(is_so(value, each) for each in conditions for value in values(parsed, each.get("pointer")))


def number(text):
    try:
        return Decimal(text)
    except ArithmeticError:  # its exponent is out of range
        return float(text)


def is_so(value, condition):
    if "equals" in condition:
        wanted = condition["equals"]
        is_number = isinstance(value, Decimal) and isinstance(wanted, (int, float)) and not isinstance(wanted, bool)
        return value == Decimal(repr(wanted)) if is_number else type(value) is type(wanted) and value == wanted
    if not isinstance(value, str):
        return False
    if "contains" in condition:
        return folded(condition["contains"]) in folded(value)
    return folded(condition["equals_ignoring_case"]) == folded(value)


def folded(text):
    """As the service's Unicode.foldCase."""
    upper = unicodedata.normalize("NFC", text).upper().replace("\u03a3", "\u03c3")
    return unicodedata.normalize("NFC", upper.lower())


def values(parsed, pointer):
    """Yields the values at a pointer, in which * is each element of an array; without one, all values."""
    left = [(parsed, pointer and [each.replace("~1", "/").replace("~0", "~") for each in pointer[1:].split("/")])]
    while left:
        value, path = left.pop()
        if not path:
            yield value
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for name, each in inner:
            if path is None:
                left.append((each, None))
            elif path and (path[0] == str(name) or path[0] == "*" and isinstance(value, list)):
                left.append((each, path[1:]))
