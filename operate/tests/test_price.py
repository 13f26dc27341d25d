"""Tests operate/price: its figures are those of docs/bill.md, and docs/bill.md shows what it prints."""
import re, runpy, unittest
from pathlib import Path
from unittest.mock import patch
from running import run

PAGE = Path("../docs/bill.md").read_text("utf-8")
ROW = re.compile(r"^\| `operate/price (.*?)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)


def price():
    with patch("operators.command.run"):
        return runpy.run_path("price")


def dollars(output):
    return {name.strip(): float(cost.replace(",", "")) for name, cost in re.findall(r"(?m)^(\w.*?) {2,}([\d,.]+)$", output)}


class PriceTest(unittest.TestCase):
    def test_the_page_shows_what_it_prints(self):
        rows = ROW.findall(PAGE)
        self.assertGreater(len(rows), 2)
        for words, *figures in rows:
            with self.subTest(words):
                parts = dollars(run("price", *words.split())[1])
                shown = [parts["total"], parts["outgoing data"], parts["consumers ask"]]
                self.assertEqual([f"{each:,.0f}" for each in shown], figures)

    def test_at_the_rate_of_the_bill_a_size_costs_what_its_row_says(self):
        month = price()["month"]
        for size, row, batches in ((2048, 4.07, 1.92), (32768, 7.08, 4.99), (131072, 14.62, 12.74)):
            for is_batched, total in ((False, row), (True, batches)):
                with self.subTest(size=size, batches=is_batched):
                    parts = dict(month(19 * 30 * 86400, size, 0, 1, 1, is_batched))
                    feed = 0.13 if is_batched else parts["the feed"] / 49.248
                    self.assertAlmostEqual((parts["store"] + parts["keep"]) / 49.248 + feed, total, delta=0.03)

    def test_the_feed_costs_what_the_table_of_the_bill_says(self):
        feed, (_, units) = price()["feed"], price()["tables"]()
        for millions, dollars_a_million in ((1, 3.05), (10, 2.03), (50, 0.67)):
            self.assertAlmostEqual(feed(millions * 10**6, units) / millions, dollars_a_million, delta=0.03)

    def test_a_consumer_that_only_asks_costs_what_the_bill_says(self):
        self.assertAlmostEqual(dollars(run("price", "--events", "1")[1])["consumers ask"], 4.35, delta=0.02)
        idle = dollars(run("price", "--events", "1", "--pause", "10")[1])["consumers ask"]
        self.assertAlmostEqual(idle, 0.43, delta=0.01)

    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            ("", "needs --events, and nothing beside its options"),
            ("--events 5 x", "needs --events, and nothing beside its options"),
            ("--events 5 --bytes 200000", "--bytes must be from 1024 to 131072: docs/bill.md has no other row"),
        ):
            self.assertEqual(run("price", *words.split()), (2, f"operate/price: {sentence}\n"))
