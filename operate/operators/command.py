"""What the operators' commands share: their options, the service that they work on, and its failures.

A command works on local/serve, or on a deployed stack through the AWS CLI. Python 3.9 is enough; there are no packages.
"""
import argparse, contextlib, errno, json, os, re, shutil, subprocess, sys, tempfile
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from operators.stopping import child, stopping

NAME = "/".join(os.path.abspath(sys.argv[0]).split("/")[-2:])  # such as operate/user
PORT = 3000  # of local/serve
LOCAL_KEYS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_DEFAULT_REGION": "us-east-1"}
# In seconds; no function may run for longer. After its own limit of 60 s, the AWS CLI would invoke a slow function again.
# https://docs.aws.amazon.com/cli/latest/reference/lambda/invoke.html
LONGEST_INVOCATION = 90


class Failure(Exception):
    """The command cannot go on. The text is one sentence for the operator."""


class Refusal(Failure):
    """The function answered with a problem. `code` says which one, such as temporarily_unavailable: try again."""

    def __init__(self, problem):
        faults = [f"{fault['pointer']}: {fault['detail']}" for fault in problem.get("errors", [])]
        super().__init__(f"{problem['code']}: {'; '.join(faults) or problem['detail']}")
        self.problem, self.code = problem, problem["code"]


class Once(argparse.Action):
    """Stores the value of an option. Refuses a second one: it would silently replace the first."""

    is_given = False

    def __call__(self, parser, namespace, value, option_string=None):
        if self.is_given:
            raise argparse.ArgumentError(self, "may be given only once")
        self.is_given = True
        setattr(namespace, self.dest, value)


class Options(argparse.ArgumentParser):
    """Reads a command's options. Wrong use ends the command with one sentence and exit code 2."""

    def __init__(self, usage, of_stacks=True):
        super().__init__(prog=NAME, allow_abbrev=False)
        self.usage_text = usage
        self.register("action", None, Once)  # that of an option without a named one
        self.add_argument("--port", type=number)
        if of_stacks:
            self.add_argument("--stack", type=text)

    def read(self):
        """Returns the options, and the words that are no options, wherever they stand."""
        if any(re.search(r"[\x00-\x1f\x7f-\x9f]", word) for word in sys.argv[1:]):
            self.error("control characters are not allowed")
        options, words = self.parse_known_args()
        for word in words:
            if word.startswith("-"):
                self.error(f"unknown option {word}; there are {', '.join(self.names())}")
        if options.port is not None and getattr(options, "stack", None):
            self.error("--port and --stack exclude each other: local/serve has a port, a deployed stack has none")
        return options, [word for word in words if word]

    def names(self):
        return sorted({name for action in self._actions for name in action.option_strings if name.startswith("--")})

    def format_help(self):
        return self.usage_text

    def error(self, message):
        """Turns argparse's "argument --port: expected one argument" into a sentence."""
        progress("")
        sentence = re.sub("^argument (.*?): ", r"\1 ", message)
        sentence = re.sub("expected (one|at least one) argument", "needs a value", sentence)
        self.exit(2, f"{NAME}: {sentence}\n")


def given(options):
    """The names of the options that are there, but for those that select the service."""
    names = {name for name, value in vars(options).items() if value is not None and value is not False}
    return names - {"port", "stack"}


def text(value):
    """The type of an option that takes any text but the empty one."""
    if not value:
        raise argparse.ArgumentTypeError("needs a value")
    if any("\ud800" <= each <= "\udfff" for each in value):  # as Python has bytes that are no UTF-8
        raise argparse.ArgumentTypeError("needs UTF-8")
    return value


def number(value):
    """The type of an option that takes a whole number."""
    if not re.fullmatch("[0-9]+", text(value)):
        raise argparse.ArgumentTypeError(f"needs a number, not {value}")
    return int(value)


def moment(value):
    """The time that a text in RFC 3339 names. Raises ValueError if it names none."""
    return datetime.fromisoformat(value.replace("Z", "+00:00"))


def instant(value):
    """The type of an option that takes a time in RFC 3339."""
    try:
        parsed = moment(value)
    except ValueError:
        parsed = None
    if not parsed or not parsed.tzinfo:
        raise argparse.ArgumentTypeError("needs a time such as 2026-11-20T12:00:00Z")
    return parsed


def service(options):
    """The service that the options name."""
    return Stack(options.stack) if options.stack else LocalServe(PORT if options.port is None else options.port)


def pages(target, function, event):
    """Invokes a function until its answer has no `next`, and yields the answers."""
    page = target.invoke(function, event)
    yield page
    while "next" in page:
        page = target.invoke(function, {**event, "next": page["next"]})
        yield page


def print_table(columns, rows):
    """Prints the members of the rows under their names."""
    names = [name.replace("_", " ") for name in columns]
    print(table_of(names, [[row.get(name, "") for name in columns] for row in rows]))


def table_of(names, rows):
    """A text with the rows under the names."""
    lines = [[str(each) for each in row] for row in (names, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def progress(message):
    """Replaces the line of progress, on a terminal."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 1
        print(f"\r\033[K{message[:width]}", end="", file=sys.stderr, flush=True)


def say(message):
    """Prints a line for the operator, beside the output."""
    progress("")
    print(message, file=sys.stderr, flush=True)


def yes(question):
    """Asks on the terminal. Returns whether the answer is yes."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


class LocalServe:
    """The service on this machine. `option` selects it again in a command to copy."""

    def __init__(self, port):
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.option = "" if port == PORT else f"--port {port} "

    def invoke(self, function, event):
        """Invokes a function by its logical id. Returns its answer; raises Refusal or another Failure."""
        body = self.request("POST", f"/2015-03-31/functions/{function}/invocations", json.dumps(event))
        return answer(function, body)

    def call(self, *words):
        """Calls the local DynamoDB by the AWS CLI. It is on the next port, or where local/serve's `export` lines say."""
        endpoint = os.environ.get("AWS_ENDPOINT_URL_DYNAMODB") or f"http://127.0.0.1:{self.port + 1}"
        return json.loads(aws(*words, "--endpoint-url", endpoint, "--output", "json", environment=LOCAL_KEYS))

    def request(self, method, path, body=None):
        """Returns the body of the answer. Raises Failure if there is none."""
        connection = HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException, OverflowError):  # OverflowError: no port has such a number
            raise Failure(
                f"local/serve does not answer on port {self.port}; start it, name its --port, or a --stack"
            ) from None
        finally:
            connection.close()
        if response.status != 200:
            raise Failure(f"port {self.port} answers {response.status}: {one_line(body.decode(errors='replace'))}")
        return body


class Stack:
    """The service as a deployed stack. `option` selects it again in a command to copy."""

    def __init__(self, name):
        stack = self.call("cloudformation", "describe-stacks", "--stack-name", name)["Stacks"][0]
        self.outputs = {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
        self.parameters = {each["ParameterKey"]: each["ParameterValue"] for each in stack.get("Parameters", [])}
        self.name, self.option = name, f"--stack {name} "
        self.scanned = []  # bytes of the log that each query has read
        self.url = self.output("ApiUrl")
        if os.environ.get("AWS_ENDPOINT_URL"):  # an emulator, whose stack has an address that only AWS knows
            self.url = os.environ.get("CONNECTOR_API_URL") or self.url

    def output(self, key):
        if key not in self.outputs:
            raise Failure(f"the stack {self.name} has no output {key}")
        return self.outputs[key]

    def invoke(self, function, event):
        """As LocalServe.invoke. The stack's output <function>Name has the function's name."""
        name = self.output(function + "Name")
        with tempfile.NamedTemporaryFile() as file:
            aws(
                *("lambda", "invoke", "--function-name", name, "--payload", "fileb:///dev/stdin", file.name),
                *("--cli-read-timeout", str(LONGEST_INVOCATION)),
                stdin=json.dumps(event),
            )
            return answer(function, file.read())

    def call(self, *words):
        """Calls AWS, and returns its answer."""
        return json.loads(aws(*words, "--output", "json") or "{}")


def aws(*words, stdin="", environment=()):
    """Runs the AWS CLI, and returns its output."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    settings = {"encoding": "utf-8", "errors": "replace", "env": {**os.environ, **dict(environment)}, **pipes}
    apart = stopping.is_held  # then no signal of the terminal may end it. Otherwise it may ask there for an MFA code
    try:
        with child(["aws", *words], apart, **settings) as process:
            output, errors = process.communicate(stdin)
    except OSError as error:
        raise Failure(f"the AWS CLI is necessary, and `aws` does not start: {error.strerror}") from None
    if process.returncode != 0:
        raise Failure(one_line(errors) or f"the AWS CLI ended with exit code {process.returncode}")
    return output


def answer(function, body):
    """The answer in an invocation's result."""
    try:
        result = json.loads(body)
    except ValueError:
        result = None
    if not isinstance(result, dict):
        raise Failure(f"the answer of {function} is not a JSON object")
    if "errorMessage" in result:  # the function threw, or Lambda ended it
        raise Failure(f"{function} failed: {one_line(result['errorMessage'] or result['errorType'])}")
    if "code" in result:
        raise Refusal(result)
    return result


def one_line(message):
    return " ".join(message.split())


def run(main):
    """Runs a command, which may return an exit code. A failure ends it with a sentence and exit code 1.

    So does a signal, with the shell's exit code for it.
    """
    sys.stdout.reconfigure(errors="backslashreplace")  # a password must appear, whatever the terminal can show
    stopping.listen()
    code = 1
    try:
        result = main()
        sys.stdout.flush()
        code = result
    except (Failure, KeyboardInterrupt) as failure:
        with contextlib.suppress(OSError):
            say(f"{NAME}: {str(failure) or 'interrupted'}")
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EIO):  # else its reader, such as head, has ended, or its terminal
            raise
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # else Python's own flush would fail, and change the exit code
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(stopping.exit_code(code))
