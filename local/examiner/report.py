"""What an exam prints, and the files that it writes for other programs."""
import json
from collections import Counter, namedtuple
from xml.sax.saxutils import escape, quoteattr

Result = namedtuple("Result", "name title verdict text shown section seconds")
PASSED, FAILED, OPEN, NOT_ASKED = "passed", "FAILED", "open", "not asked"


def lines_of(result):
    """A row, as it is printed."""
    is_asked = result.verdict != NOT_ASKED
    yield f"{result.verdict:<10}{result.name:<20}{result.title if is_asked else result.text}"
    if result.verdict == PASSED or not is_asked:
        return
    indent = " " * 30
    yield f"{indent}{result.text}"
    for each in result.shown:
        yield f"{indent}  {each}"
    if result.verdict == FAILED:
        yield f"{indent}see docs/{result.section}"


def mark_of(results):
    """The mark at the end."""
    counts = Counter(each.verdict for each in results)
    asked = counts[PASSED] + counts[FAILED]
    percent = 100 * counts[PASSED] // asked if asked else 0
    rest = f"{counts[OPEN]} open, {counts[NOT_ASKED]} not asked"
    return f"{counts[PASSED]} of {asked} rows passed ({percent} %); {rest}"


def exit_code(results, is_strict=False):
    verdicts = {each.verdict for each in results}
    if FAILED in verdicts or is_strict and NOT_ASKED in verdicts:
        return 3
    return 4 if OPEN in verdicts or PASSED not in verdicts else 0


def write_json(file, seed, results):
    with open(file, "w") as out:
        rows = [{**each._asdict(), "seconds": round(each.seconds, 1)} for each in results]
        json.dump({"seed": seed, "mark": mark_of(results), "rows": rows}, out, indent=1)


def write_junit(file, results):
    counts = Counter(each.verdict for each in results)
    with open(file, "w", encoding="utf-8") as out:
        print('<?xml version="1.0" encoding="UTF-8"?>', file=out)
        print(f'<testsuite name="exam" tests="{len(results)}" failures="{counts[FAILED]}"'
              f' skipped="{counts[OPEN] + counts[NOT_ASKED]}">', file=out)
        for each in results:
            print(f'<testcase classname="exam" name={quoteattr(each.name)} time="{each.seconds:.1f}">', file=out)
            if each.verdict == FAILED:
                text = "\n".join([each.title, *each.shown, f"docs/{each.section}"])
                print(f"<failure message={quoteattr(each.text)}>{escape(text)}</failure>", file=out)
            elif each.verdict != PASSED:
                print(f"<skipped message={quoteattr(f'{each.verdict}: {each.text}')}/>", file=out)
            print("</testcase>", file=out)
        print("</testsuite>", file=out)
