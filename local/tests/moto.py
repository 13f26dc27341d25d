"""AWS for the tests of the operators' commands: moto, a mock that answers the AWS CLI."""
import json, os, shutil, socket, subprocess, time, unittest
from unittest.mock import patch

STACK = "prod"
TOPIC = "arn:aws:sns:us-east-1:123456789012:alarms"
TEMPLATE = {
    "Parameters": {"AlarmTopicArn": {"Type": "String", "Default": ""}},
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
    "Outputs": {"ApiUrl": {"Value": "https://api.example"}, "ManageUsersFunctionName": {"Value": "manage-users"}},
}


class MotoTest(unittest.TestCase):
    """Starts moto for a class. Without moto or the AWS CLI, its tests are skipped."""

    @classmethod
    def setUpClass(cls):
        for command in ("moto_server", "aws"):
            if not shutil.which(command):
                raise unittest.SkipTest(f"{command} is not installed")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(
            ["moto_server", "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        while server.poll() is None and not answers(port):
            time.sleep(0.1)
        environment = patch.dict(
            os.environ,
            AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}",
            AWS_ACCESS_KEY_ID="test",
            AWS_SECRET_ACCESS_KEY="test",
            AWS_DEFAULT_REGION="us-east-1",
        )
        environment.start()
        cls.addClassCleanup(environment.stop)
        aws(
            *("cloudformation", "create-stack", "--stack-name", STACK, "--template-body", json.dumps(TEMPLATE)),
            *("--parameters", f"ParameterKey=AlarmTopicArn,ParameterValue={TOPIC}"),
        )


def answers(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def aws(*words):
    ended = subprocess.run(["aws", *words, "--output", "json"], check=True, stdout=subprocess.PIPE)
    return json.loads(ended.stdout or "{}")
