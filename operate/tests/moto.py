"""AWS for the tests of the operators' commands: moto, a mock that answers the AWS CLI."""
import atexit, functools, io, json, os, shutil, socket, subprocess, time, unittest, urllib.request
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch
from operators import command

try:
    from awscli.clidriver import create_clidriver
except ImportError:  # version 2 of the AWS CLI has a Python of its own
    create_clidriver = None

STACK = "prod"
TOPIC = "arn:aws:sns:us-east-1:123456789012:alarms"
TEMPLATE = {
    "Parameters": {"AlarmTopicArn": {"Type": "String", "Default": ""}},
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
    "Outputs": {
        "ApiUrl": {"Value": "https://api.example"},
        "ManageUsersFunctionName": {"Value": "manage-users"},
        "NumberEventsFunctionName": {"Value": "number-events"},
    },
}


@functools.lru_cache  # a start takes seconds
def moto():
    """The port of a moto that runs until this process ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        ["moto_server", "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    atexit.register(server.wait)
    atexit.register(server.terminate)
    while server.poll() is None and not answers(port):
        time.sleep(0.1)
    return port


class MotoTest(unittest.TestCase):
    """A class has an empty moto. Without moto or the AWS CLI, its tests are skipped."""

    @classmethod
    def setUpClass(cls):
        for program in ("moto_server", "aws"):
            if not shutil.which(program):
                raise unittest.SkipTest(f"{program} is not installed")
        url = f"http://127.0.0.1:{moto()}"
        urllib.request.urlopen(url + "/moto-api/reset", data=b"").close()
        environment = patch.dict(
            os.environ,
            AWS_ENDPOINT_URL=url,
            AWS_ACCESS_KEY_ID="test",
            AWS_SECRET_ACCESS_KEY="test",
            AWS_DEFAULT_REGION="us-east-1",
        )
        environment.start()
        cls.addClassCleanup(environment.stop)
        if create_clidriver:
            faster = patch.object(command, "aws", in_process)
            faster.start()
            cls.addClassCleanup(faster.stop)
            cls.addClassCleanup(driver.cache_clear)
        aws(
            *("cloudformation", "create-stack", "--stack-name", STACK, "--template-body", json.dumps(TEMPLATE)),
            *("--parameters", f"ParameterKey=AlarmTopicArn,ParameterValue={TOPIC}"),
        )


def answers(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@functools.lru_cache
def driver():
    return create_clidriver()


def in_process(*words, stdin=""):
    """Stands in for command.aws: a start of the AWS CLI takes half a second. There is no input."""
    assert not stdin
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(io.StringIO()) as errors:
        code = driver().main(list(words))
    if code != 0:
        raise command.Failure(errors.getvalue())
    return output.getvalue()


def aws(*words):
    return json.loads(command.aws(*words, "--output", "json") or "{}")


def mistake(words):
    """What the AWS CLI says of a command before it would send it; None if it would send it."""
    sent = []

    def send(_, operation, __):
        sent.append(operation.name)
        raise KeyboardInterrupt

    with patch("botocore.endpoint.Endpoint.make_request", send):
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors:
            try:
                driver().main(words[1:])
            except SystemExit:
                pass
    return None if sent else errors.getvalue()
