"""Lets connectors take the exam, beside the service at PORT."""
import importlib.machinery, importlib.util, json, os, socket, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

LOCAL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAM = os.path.join(LOCAL, "exam")
IS_NIGHTLY = os.environ.get("NIGHTLY") == "true"
sys.path[:0] = [LOCAL]
loader = importlib.machinery.SourceFileLoader("exam", EXAM)
exam = importlib.util.module_from_spec(importlib.util.spec_from_loader("exam", loader))
loader.exec_module(exam)


def take(command, *words):
    """The rows of an exam of a connector. In the command, FOLDER is a new folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}/webhooks"
    return examine("--command", command, "--port", os.environ["PORT"], "--url", url, *words)


def take_consumer(command, has, *words):
    """The rows of an exam of a consumer. It needs no service."""
    return examine("--consumer", command, "--has", has, *words)


def examine(*words):
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result")
        ran = subprocess.run([sys.executable, "-B", EXAM, "--seed", "7", "--json", result,
                              *(each.replace("FOLDER", folder) for each in words)], capture_output=True, text=True)
        if not os.path.exists(result):
            raise AssertionError(ran.stdout + ran.stderr)
        with open(result) as file:
            return json.load(file)["rows"]


def only(rows):
    return [word for each in rows for word in ("--only", each)]


def passed(rows):
    return [each["name"] for each in rows if each["verdict"] == "passed"]


def failed(rows):
    return [each for each in rows if each["verdict"] == "FAILED"]


class EachMistake:
    """A test of a flawed program: each of its MISTAKES is found by a row, and called by its name."""

    AT_ONCE, BESIDE = 6, {}  # exams; rows that another one needs

    def test_each_mistake_is_found_and_called_by_its_name(self):
        chosen = self.MISTAKES if IS_NIGHTLY else self.BY_DAY
        with ThreadPoolExecutor(self.AT_ONCE) as exams:
            for mistake, row in zip(chosen, exams.map(self.found, chosen)):
                with self.subTest(mistake):
                    self.assertEqual(row["verdict"], "FAILED", row)
                    self.assertIn(self.MISTAKES[mistake][1], row["text"])

    def found(self, mistake):
        """The last row of an exam with little patience; on a machine that is busy now, of one with more."""
        name, words = self.MISTAKES[mistake]
        for patience, waits in ("4", "2"), ("20", "10"):
            row = self.rows(mistake, "--patience", patience, "--waits", waits,
                            *only([name, *self.BESIDE.get(name, ())]))[-1]
            if words in row["text"]:
                break
        return row
