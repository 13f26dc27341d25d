"""Cuts the exact texts of payloads out of a page's text, and makes them fit for databases: docs/reading-events.md."""
import json
import re

READ = json.JSONDecoder(parse_int=str, parse_float=str)  # int() refuses more than 4,300 digits
PAYLOAD = re.compile(r'"payload"\s*:\s*')
ESCAPE = re.compile(r"(\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\[^u])|\\u(?:0000|[dD][89a-fA-F]..)")

def payloads(page):  # up to Python 3.11, with sys.setrecursionlimit(5000)
    at = 0
    while found := PAYLOAD.search(page, at):
        at = READ.raw_decode(page, found.end())[1]
        yield page[found.end():at]

def clean(payload):
    return ESCAPE.sub(lambda escape: escape[1] or r"\ufffd", payload)
