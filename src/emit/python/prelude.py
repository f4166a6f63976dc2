
from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypedDict, TypeVar, cast

Row = TypeVar("Row")


class Column(TypedDict):
    """A column of a result."""

    name: str
    type: str
    """The SQL type."""


@dataclass(frozen=True)
class Result(Generic[Row]):
    """What a call returned."""

    table_schema: list[Column]
    rows: list[Row]
    returned_result_count: int
    total_result_count: int | None
    """How many rows there are in all, where that is known."""
    truncated: bool
    """Whether there are more rows than were returned."""
    notes: list[str]
    """What to know of the result."""
    next_cursor: str | None
    """The argument `cursor` of the call for the next page."""


class ToolError(Exception):
    """A call that failed."""

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        self.status = status
        """The status code of the HTTP response."""
        self.code = str(error.get("code", "http-error"))
        """What kind of failure, kebab-case; `http-error` where the response was none of this API."""
        self.message = str(error.get("message", f"the server answered with status {status}"))
        self.parameter: str | None = error.get("parameter")
        """The parameter that it is about."""
        self.expected: str | None = error.get("expected")
        """What would have been accepted."""
        self.got: str | None = error.get("got")
        """What was sent, shortened."""
        self.allowed: list[Any] = error.get("allowed") or []
        """Accepted values, the nearest first."""
        self.hint: str | None = error.get("hint")
        """What to do."""
        super().__init__(self.message)


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    """A redirection could send the token elsewhere."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class _Connection:
    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError("the URL must begin with http:// or https://")
        self._url = url.rstrip("/")
        self._headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirection)

    def call(self, tool: str, required: Mapping[str, Any], optional: Mapping[str, Any]) -> Result[Any]:
        arguments = {**required, **{name: value for name, value in optional.items() if value is not None}}
        body = json.dumps(arguments, allow_nan=False, default=_plain).encode()
        request = urllib.request.Request(f"{self._url}/tools/{tool}", body, self._headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                status: int = response.status
                content = _parsed(response.read())
        except urllib.error.HTTPError as error:
            with error:
                failure = _object(_parsed(error.read()).get("error"))
            raise ToolError(error.code, failure) from None
        if not isinstance(content.get("rows"), list):
            raise ToolError(status, {})
        return Result(
            table_schema=content["table_schema"],
            rows=content["rows"],
            returned_result_count=content["returned_result_count"],
            total_result_count=content["total_result_count"],
            truncated=content["truncated"],
            notes=content.get("notes", []),
            next_cursor=content.get("next_cursor"),
        )


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    if isinstance(value, Sequence):
        return list(cast("Sequence[object]", value))
    raise TypeError(f"{type(value).__name__} is none of the types of JSON")


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        return _object(json.loads(text))
    except ValueError:
        return {}


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
