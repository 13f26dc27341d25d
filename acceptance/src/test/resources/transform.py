"""Prints the template that SAM's transform makes for CloudFormation. Usage: transform.py TEMPLATE"""

import json
import sys

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

with open(sys.argv[1]) as file:
    template = yaml_parse(file.read())
# Replaces the path of the code with a location in S3, as `sam deploy` does.
for each in template["Resources"].values():
    if "CodeUri" in each["Properties"]:
        each["Properties"]["CodeUri"] = "s3://bucket/key"
defaults = {name: each.get("Default") for name, each in template["Parameters"].items()}
written = {
    name: each["Properties"].get("Policies", [])
    for name, each in template["Resources"].items()
    if each["Type"] == "AWS::Serverless::Function"
}
written = json.loads(json.dumps(written))
transformed = Translator({}, Parser()).translate(template, defaults)
json.dump({"resources": transformed["Resources"], "policies": written}, sys.stdout)
