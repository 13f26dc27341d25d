"""Lets connectors take the exam, beside the service at PORT."""
import importlib.machinery, importlib.util, json, os, socket, subprocess, sys, tempfile

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
