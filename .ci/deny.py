"""Bans, licences and sources of `deny.toml`, for where cargo-deny cannot be had: `cargo metadata` on standard input."""

import json
import re
import sys
import tomllib


def version(text):
    """The three numbers of a version, and those of a bound such as `0.41`."""
    numbers = [int(part) for part in re.split(r"[.+-]", text)[:3] if part.isdigit()]
    return tuple(numbers + [0] * (3 - len(numbers)))


def is_meant(ban, package):
    name, _, bound = ban["crate"].partition(":")
    if package["name"] != name:
        return False
    below = re.fullmatch(r"<([\d.]+)", bound)
    if bound and not below:
        sys.exit(f"deny.toml: `{ban['crate']}` has a bound that is not read here: write `:<`")
    if "@" in name:
        sys.exit(f"deny.toml: `{ban['crate']}` names one exact version, which is not read here: write `:<`")
    return not below or version(package["version"]) < version(below[1])


def is_allowed(expression, allowed):
    """Whether a licence in SPDX's form is allowed, as `(A OR B) AND C`."""
    tokens = re.findall(r"[()]|[^\s()/]+|/", expression.replace("/", " OR "))

    def one():
        token = tokens.pop(0)
        if token == "(":
            inner = either()
            tokens.pop(0)
            return inner
        if tokens[:1] == ["WITH"]:
            tokens.pop(0)
            token = f"{token} WITH {tokens.pop(0)}"
        return token in allowed

    def joined(word, part, combine):
        found = [part()]
        while tokens[:1] == [word]:
            tokens.pop(0)
            found.append(part())
        return combine(found)

    def either():
        return joined("OR", lambda: joined("AND", one, all), any)

    return either()


def flaws(metadata, rules):
    packages = {package["id"]: package for package in metadata["packages"]}
    users = {}
    for node in metadata["resolve"]["nodes"]:
        for used in node["dependencies"]:
            users.setdefault(used, set()).add(packages[node["id"]]["name"])
    allowed = set(rules["licenses"]["allow"])
    exceptions = {one["crate"]: allowed | set(one["allow"]) for one in rules["licenses"].get("exceptions", [])}
    for name in sorted(exceptions.keys() - {package["name"] for package in packages.values()}):
        yield f"deny.toml: an exception is made for {name}, which is not used"
    registries = {f"registry+{address}" for address in rules["sources"]["allow-registry"]}
    for at, package in sorted(packages.items(), key=lambda one: one[1]["name"]):
        shown = f"{package['name']} {package['version']}"
        if package["source"] is not None and package["source"] not in registries:
            yield f"{shown}: comes from {package['source']}"
        permitted = exceptions.get(package["name"], allowed)
        if package["source"] is not None and not is_allowed(package["license"] or "none", permitted):
            yield f"{shown}: licence {package['license']} is not allowed"
        for ban in rules["bans"]["deny"]:
            others = users.get(at, set()) - set(ban.get("wrappers", []))
            if is_meant(ban, package) and (others or not users.get(at)):
                yield f"{shown}: banned ({ban['reason']}), used by {', '.join(sorted(others))}"


def main():
    with open(sys.argv[1], "rb") as file:
        rules = tomllib.load(file)
    metadata = json.load(sys.stdin)
    found = list(flaws(metadata, rules))
    for flaw in found:
        print(f"error: {flaw}", file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"{len(metadata['packages'])} packages: no ban, every licence allowed, all of one registry")


main()
