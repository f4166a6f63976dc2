"""The emitted tools of a project against the types and helpers of the providers' own SDKs (openai, anthropic,
google-genai): `providers.py DIR`, with openai.json, openai-strict.json, anthropic.json and gemini.json in DIR, and
openai-chat.json where there is one. Nothing is sent. Fails with a line for every tool that is invalid."""

import copy
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from anthropic.types import ToolParam
from anthropic.types.tool_param import InputSchemaTyped
from google.genai import types as gemini
from jsonschema import Draft202012Validator
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from openai.types.shared_params import FunctionDefinition
from pydantic import ConfigDict, TypeAdapter


def closed(typed_dict: Any) -> TypeAdapter[Any]:
    """A check that also refuses keys that the SDK's type does not have."""
    typed_dict.__pydantic_config__ = ConfigDict(extra="forbid")
    return TypeAdapter(typed_dict)


FUNCTION = closed(FunctionDefinition)
RESPONSES = closed(FunctionToolParam)
CHAT = closed(ChatCompletionFunctionToolParam)
CLAUDE = closed(ToolParam)
CLAUDE_INPUT = TypeAdapter(InputSchemaTyped)

# https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools, and what the API refuses.
CLAUDE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
CLAUDE_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
# FunctionDefinition.name of the SDK.
OPENAI_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# FunctionDeclaration.name of the SDK.
GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")

Tool = dict[str, Any]


def need(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)


def open_objects(schema: Any, path: str = "parameters") -> list[str]:
    """What the SDK's helper leaves as it is, and the API refuses: objects that accept more than they name."""
    if isinstance(schema, list):
        return [found for at, one in enumerate(schema) for found in open_objects(one, f"{path}[{at}]")]
    if not isinstance(schema, dict):
        return []
    found = [path] if schema.get("type") == "object" and schema.get("additionalProperties") is not False else []
    return found + [below for key, one in schema.items() for below in open_objects(one, f"{path}.{key}")]


def openai_function(function: Tool, strict: bool) -> None:
    need(OPENAI_NAME.fullmatch(function["name"]) is not None, "the name breaks the pattern")
    schema = function["parameters"]
    Draft202012Validator.check_schema(schema)
    need(schema["type"] == "object", "the parameters are no object")
    if not strict:
        need(function["strict"] is False, "strict, in the file of those that are not")
    if function["strict"]:
        made_strict = _ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=schema)
        need(made_strict == schema, f"not strict: the SDK's helper would make it {json.dumps(made_strict)}")
        need(not open_objects(schema), f"not strict: open objects at {', '.join(open_objects(schema))}")


def openai(tool: Tool, strict: bool) -> None:
    RESPONSES.validate_python(tool, strict=True)
    openai_function(tool, strict)


def openai_chat(tool: Tool) -> None:
    CHAT.validate_python(tool, strict=True)
    FUNCTION.validate_python(tool["function"], strict=True)
    openai_function(tool["function"], strict=True)


def anthropic(tool: Tool) -> None:
    CLAUDE.validate_python(tool)
    CLAUDE_INPUT.validate_python(tool["input_schema"])
    need(CLAUDE_NAME.fullmatch(tool["name"]) is not None, "the name breaks the pattern")
    schema = tool["input_schema"]
    Draft202012Validator.check_schema(schema)
    at_the_top = {"oneOf", "allOf", "anyOf"} & schema.keys()
    need(not at_the_top, f"{', '.join(sorted(at_the_top))} at the top, which the API refuses")
    for name in schema["properties"]:
        need(CLAUDE_PROPERTY.fullmatch(name) is not None, f"the name of the property {name!r} breaks the pattern")
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    for example in tool.get("input_examples", []):
        validator.validate(example)


def gemini_function(tool: Tool) -> None:
    declaration = gemini.FunctionDeclaration.model_validate(tool)
    need(GEMINI_NAME.fullmatch(declaration.name or "") is not None, "the name breaks the pattern")
    need(bool(declaration.description), "no description")
    schema = declaration.parameters_json_schema
    if schema is not None:
        Draft202012Validator.check_schema(schema)
        # The SDK's own account of what a JSON Schema for Gemini may say; it forbids other keywords.
        gemini.JSONSchema.model_validate(schema)


def tools_of(name: str, content: Any) -> list[Tool]:
    if name == "gemini.json":
        gemini.Tool.model_validate(content)
        content = content["functionDeclarations"]
    need(isinstance(content, list) and bool(content), "no list of tools")
    return content


FILES: dict[str, Callable[[Tool], None]] = {
    "openai.json": lambda tool: openai(tool, strict=False),
    "openai-strict.json": lambda tool: openai(tool, strict=True),
    "openai-chat.json": openai_chat,
    "anthropic.json": anthropic,
    "gemini.json": gemini_function,
}


def main(folder: Path) -> int:
    problems = []
    for name, check in FILES.items():
        file = folder / name
        if name == "openai-chat.json" and not file.exists():
            continue
        try:
            tools = tools_of(name, json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            problems.append(f"{name}: {error}")
            continue
        for tool in tools:
            called = tool.get("name") or tool.get("function", {}).get("name") or "a tool without a name"
            try:
                check(tool)
            # Every SDK has exceptions of its own, and each of them means the same.
            except Exception as error:
                problems.append(f"{name}: {called}: {type(error).__name__}: {error}")
        print(f"{name}: {len(tools)} tools")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: providers.py DIR")
    sys.exit(main(Path(sys.argv[1])))
