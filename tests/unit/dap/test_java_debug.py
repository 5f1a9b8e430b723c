# SPDX-License-Identifier: Apache-2.0
"""All launch and attach attributes of the Java debugger by Microsoft (vscode-java-debug 0.59): each
is an attribute of ours, in the schema of our extension and in the reference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jvmdebug_dap.models.base import wire_name
from jvmdebug_dap.models.launch import (
    AttachArguments,
    Configuration,
    LaunchArguments,
    StepFilterAttributes,
)

REPOSITORY = Path(__file__).parents[3]
LAUNCH = (
    *("mainClass", "projectName", "javaExec", "args", "vmArgs", "modulePaths", "classPaths"),
    *("sourcePaths", "encoding", "cwd", "env", "envFile", "stopOnEntry", "console"),
    *("shortenCommandLine", "stepFilters", "noDebug", "launcherScript"),
)
ATTACH = (
    *("hostName", "port", "processId", "timeout", "sourcePaths", "projectName", "stepFilters"),
)
STEP_FILTERS = (
    *("skipClasses", "classNameFilters", "allowClasses", "skipSynthetics"),
    *("skipStaticInitializers", "skipConstructors"),
)
CHOICES = {
    "console": ("internalConsole", "integratedTerminal", "externalTerminal"),
    "shortenCommandLine": ("none", "jarmanifest", "argfile", "auto"),
}


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    package = json.loads((REPOSITORY / "vscode-extension/package.json").read_bytes())
    attributes: dict[str, Any] = package["contributes"]["debuggers"][0]["configurationAttributes"]
    return attributes


@pytest.mark.parametrize(("request_", "theirs"), [("launch", LAUNCH), ("attach", ATTACH)])
def test_every_attribute_is_one_of_ours(
    schema: dict[str, Any], request_: str, theirs: tuple[str, ...]
) -> None:
    model: type[Configuration] = LaunchArguments if request_ == "launch" else AttachArguments
    described = schema[request_]["properties"]
    reference = (REPOSITORY / "docs/reference/dap.md").read_text()
    for each in theirs:
        assert each in map(wire_name, model.model_fields), each
        own = described[each]
        assert "type" in own, each
        assert own.keys() & {"description", "markdownDescription"}, each
        assert f"`{each}`" in reference, each
        if each in CHOICES:
            assert set(CHOICES[each]) <= set(own["enum"])
    described = described["stepFilters"]["properties"]
    for each in STEP_FILTERS:
        assert each in map(wire_name, StepFilterAttributes.model_fields), each
        assert each in described, each
        assert f"`{each}`" in reference or "deprecationMessage" in described[each], each
