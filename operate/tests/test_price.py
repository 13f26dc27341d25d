"""Tests operate/price and docs/cost.md: the command's figures are the page's, and the page's sums are right."""
import re, runpy, unittest
from pathlib import Path
from unittest.mock import patch
from running import run

PAGE = Path("../docs/cost.md").read_text("utf-8")
README = Path("../README.md").read_text("utf-8")
ROW = re.compile(r"^\| `operate/price (.*?)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)
FEED_ROW = re.compile(r"^\| .*?, ([\d.,]+) a second \| ([\d.]+) \(([\d.,]+)\) ", re.MULTILINE)
SUM = re.compile(r"((?:[\d.]+ \+ )+[\d.]+) = ([\d.]+\d)")
MONTH = 30 * 86400 / 10**6  # an event a second, in millions


def price():
    with patch("operators.command.run"):
        return runpy.run_path("price")


def dollars(output):
    return {name.strip(): float(cost.replace(",", "")) for name, cost in re.findall(r"(?m)^(\w.*?) {2,}([\d,.]+)$", output)}


def figure(text):
    return float(text.replace(",", ""))


class PriceTest(unittest.TestCase):
    def test_the_page_shows_what_it_prints(self):
        rows = ROW.findall(PAGE)
        self.assertGreater(len(rows), 2)
        for words, *figures in rows:
            with self.subTest(words):
                parts = dollars(run("price", *words.split())[1])
                shown = [parts["total"], parts["outgoing data"], parts["consumers ask"]]
                self.assertEqual([f"{each:,.0f}" for each in shown], figures)

    def test_at_the_rate_of_the_page_a_size_costs_what_its_row_says(self):
        loaded = price()
        rows, units = loaded["figures"]()
        self.assertEqual(len(rows), 8)
        for row in rows:
            for is_batched, total in ((False, row["total, $"]), (True, row["in batches, $"])):
                with self.subTest(row["payload"], batches=is_batched):
                    size = 1024 * int(row["payload"].split()[0])
                    parts = dict(loaded["month"](19 * MONTH * 10**6, size, 0, 1, 1, is_batched))
                    keep = parts["keep"] - loaded["kept_feed"](19 * MONTH * 10**6, units)
                    feed = 0.13 if is_batched else parts["the feed"] / (19 * MONTH)
                    self.assertAlmostEqual((parts["store"] + keep) / (19 * MONTH) + feed, float(total), delta=0.01)

    def test_the_feed_costs_what_the_page_says(self):
        loaded = price()
        _, units = loaded["figures"]()
        rows = FEED_ROW.findall(PAGE)
        self.assertEqual(len(rows), 3)
        for a_second, cost, of_segment in rows:
            with self.subTest(a_second):
                millions = round(figure(a_second) * MONTH)
                self.assertAlmostEqual(loaded["feed"](millions * 10**6, units) / millions, figure(cost), delta=0.04)
                self.assertAlmostEqual(loaded["of_segment"](millions * 10**6), figure(of_segment), delta=0.1)
        for of_segment, kept in ((1000, 0.01), (1, 0.06)):
            with patch.dict(loaded["kept_feed"].__globals__, of_segment=lambda _: of_segment):
                self.assertAlmostEqual(loaded["kept_feed"](10**6, units), kept, delta=0.005)
                self.assertIn(f"${kept}", PAGE.split("Segments are kept for ever", 1)[1].split("\n\n", 1)[0])

    def test_a_consumer_that_only_asks_costs_what_the_page_says(self):
        sentence = r"asks every second costs \$([\d.]+) in 30 days; every 10 seconds, \$([\d.]+)\."
        asks, seldom = re.search(sentence, PAGE).groups()
        self.assertAlmostEqual(dollars(run("price", "--events", "1")[1])["consumers ask"], float(asks), delta=0.005)
        idle = dollars(run("price", "--events", "1", "--pause", "10")[1])["consumers ask"]
        self.assertAlmostEqual(idle, float(seldom), delta=0.005)

    def test_a_small_payload_costs_as_one_of_1024_bytes_but_for_what_goes_out(self):
        small, row = (dollars(run("price", "--events", "10000000", "--bytes", size)[1]) for size in ("112", "1024"))
        self.assertEqual(small["store"], row["store"])
        self.assertLess(small["outgoing data"], row["outgoing data"])

    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            ("", "needs --events, and nothing beside its options"),
            ("--events 5 x", "needs --events, and nothing beside its options"),
            ("--events 5 --bytes 200000", "--bytes must be up to 131072: docs/cost.md has no other row"),
        ):
            self.assertEqual(run("price", *words.split()), (2, f"operate/price: {sentence}\n"))


class PageTest(unittest.TestCase):
    def test_each_sum_is_right(self):
        sums = SUM.findall(PAGE)
        self.assertGreater(len(sums), 4)
        for addends, total in sums:
            self.assertAlmostEqual(sum(map(float, addends.split(" + "))), float(total), places=9, msg=addends)

    def test_a_total_is_the_sum_of_its_row(self):
        rows, units = price()["figures"]()
        same = float(re.search(r" = ([\d.]+) dollars", PAGE)[1])
        for row in rows:
            with self.subTest(row["payload"]):
                total = same + figure(row["write units"]) * units["write"] + figure(row["storage, a month"])
                self.assertAlmostEqual(total, figure(row["total, $"]), delta=0.0051)

    def test_the_fixed_cost_is_the_sum_of_its_parts(self):
        text, parts = PAGE.split("### The fixed cost\n\n", 1)[1].split("\n\n", 2)[:2]
        most = re.findall(r"(?m)^- \$(?:[\d.]+ to \$)?([\d.]+) for", parts)
        self.assertEqual(len(most), 5)
        total = sum(map(float, most))
        self.assertIn(f"At most ${total:.2f} a month", text)
        self.assertAlmostEqual(price()["FIXED"], total)
        secret, beats, _, alarms, _ = map(float, most)
        self.assertIn(f"${secret + beats + alarms + 2 * 0.30:.2f} of it without requests", text)

    def test_the_month_of_the_readme_is_what_the_command_prints(self):
        cells = re.search(r"(?m)^\| this service \| (.*) \| (.*) \|$", PAGE).groups()
        fixed = re.search(r"- \$([\d.]+) to \$([\d.]+) for metrics", PAGE).groups()
        others = sum(map(float, re.findall(r"(?m)^- \$([\d.]+) for (?:the secret|\[the beats|alarms)", PAGE)))
        for cell, millions in zip(cells, (1, 10)):
            parts = dollars(run("price", "--events", str(millions * 10**6))[1])
            ours = parts["total"] - parts["outgoing data"] - parts["fixed, at most"] + 2 * 0.30
            shown, low, high = re.fullmatch(r"([\d.]+) \+ ([\d.]+) to ([\d.]+)", cell).groups()
            self.assertAlmostEqual(float(shown), ours, delta=0.02)
            self.assertEqual([float(low), float(high)], [round(others + float(each), 2) for each in fixed])
            self.assertIn(f"{float(shown) + float(low):.0f} to {float(shown) + float(high):.0f}", README)

    def test_a_rate_costs_what_its_events_cost(self):
        loaded = price()
        _, units = loaded["figures"]()
        rows = re.findall(r"(?m)^\| ([\d,]+) \| [\d,]+ \| [\d,]+ \| [\d,]+ \| ([\d,]+) \| ([\d,]+) \|$", PAGE)
        self.assertEqual(len(rows), 3)
        for a_second, cost, kept in rows:
            with self.subTest(a_second):
                millions = figure(a_second) * MONTH
                parts = dict(loaded["month"](millions * 10**6, 2048, 0, 1, 1, False))
                second_unit = millions * units["write"]
                expected = parts["store"] + parts["the feed"] + second_unit + figure(kept)
                self.assertAlmostEqual(figure(cost) / expected, 1, delta=0.02)
