#!/usr/bin/env python3
"""Puts an executable of qtool into the packages of others: a wheel for PyPI, and packages for npm.

    release/packages.py wheel    --binary PATH --target TRIPLE --out DIR
    release/packages.py npm      --binary PATH --target TRIPLE --out DIR
    release/packages.py npm-main --out DIR
    release/packages.py archive  --binary PATH --target TRIPLE --out DIR

Nothing is compiled or downloaded, and the same input gives the same bytes. Python 3.9 or newer, and nothing else.

  --project    what the wheel is called on PyPI; the command is `qtool` in any case [default: qtool]
  --address    where the project lies, as `https://…`; left out of the packages where it is not said
  --level      how much is tried to make it small, from 0 to 9 [default: 9]
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import mmap
import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "qtool"
# The first moment that a zip file can name: when something was packed is nothing of it.
MOMENT = (1980, 1, 1, 0, 0, 0)


class Target:
    """A kind of machine, as Rust, PyPI and npm call it."""

    def __init__(self, wheel, os_name, cpu, libc=None):
        self.wheel, self.os, self.cpu, self.libc = wheel, os_name, cpu, libc
        self.executable = f"{NAME}.exe" if os_name == "win32" else NAME

    @property
    def npm(self):
        libc = "-musl" if self.libc == "musl" else ""
        return f"{NAME}-{self.os}-{self.cpu}{libc}"


TARGETS = {
    "x86_64-unknown-linux-gnu": Target("manylinux_x86_64", "linux", "x64", "glibc"),
    "aarch64-unknown-linux-gnu": Target("manylinux_aarch64", "linux", "arm64", "glibc"),
    "x86_64-unknown-linux-musl": Target("musllinux_1_2_x86_64", "linux", "x64", "musl"),
    "aarch64-unknown-linux-musl": Target("musllinux_1_2_aarch64", "linux", "arm64", "musl"),
    # What Rust's standard library asks for.
    "x86_64-apple-darwin": Target("macosx_10_12_x86_64", "darwin", "x64"),
    "aarch64-apple-darwin": Target("macosx_11_0_arm64", "darwin", "arm64"),
    "x86_64-pc-windows-msvc": Target("win_amd64", "win32", "x64"),
}


class Fault(Exception):
    """What a person is told."""


def manifest():
    """What Cargo.toml says of the package."""
    text = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    package = text.split("[package]", 1)[1].split("\n[", 1)[0]
    found = dict(re.findall(r'^([a-z-]+) = "([^"]*)"$', package, re.M))
    return found["version"], found["description"], found["license"]


def python_version(version):
    """A version as PEP 440 has it: `1.2.0-rc.1` is `1.2.0rc1`."""
    match = re.fullmatch(r"(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?", version)
    if not match:
        raise Fault(f"PyPI has no version `{version}`: write `1.2.0`, `1.2.0-alpha.1`, `-beta.1` or `-rc.1`")
    release, stage, number = match.groups()
    return release + ({"alpha": "a", "beta": "b", "rc": "rc"}[stage] + number if stage else "")


def wheel_tag(target, binary):
    """The tag of a wheel; of glibc the version that the executable asks for."""
    if target.libc != "glibc":
        return target.wheel
    with open(binary, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        asked = {int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?=\0)", data)}
        # Relocations in the short form: there is no symbol of that version.
        if data.find(b"\0GLIBC_ABI_DT_RELR\0") >= 0:
            asked.add(36)
    if not asked:
        raise Fault(f"`{binary}` asks for no glibc: is it one for another target?")
    return target.wheel.replace("manylinux", f"manylinux_2_{max(asked)}")


def check_binary(target, binary):
    """Refuses what cannot be an executable for the target: a package of it would fail for everybody."""
    with open(binary, "rb") as file:
        head = file.read(20)
    kinds = {"linux": b"\x7fELF", "win32": b"MZ", "darwin": b"\xcf\xfa\xed\xfe"}
    machines = {
        "linux": {"x64": (18, b"\x3e\0"), "arm64": (18, b"\xb7\0")},
        "darwin": {"x64": (4, b"\x07\0\0\x01"), "arm64": (4, b"\x0c\0\0\x01")},
    }
    is_kind = head.startswith(kinds[target.os])
    at, machine = machines.get(target.os, {}).get(target.cpu, (0, b""))
    if not is_kind or head[at : at + len(machine)] != machine:
        raise Fault(f"`{binary}` is no executable for {target.os} on {target.cpu}")


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def wheel(args):
    """A wheel whose only content is the executable, which installers put beside `python`."""
    version, summary, licence = manifest()
    version = python_version(version)
    target = TARGETS[args.target]
    tag = f"py3-none-{wheel_tag(target, args.binary)}"
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", args.project):
        raise Fault(f"PyPI has no project `{args.project}`: write letters, digits, `-`, `_` and `.`")
    project = re.sub(r"[-_.]+", "_", args.project).lower()
    info = f"{project}-{version}.dist-info"
    address = f"Project-URL: Source, {args.address}\n" if args.address else ""
    metadata = (
        f"Metadata-Version: 2.4\nName: {args.project}\nVersion: {version}\nSummary: {summary}\n"
        f"License-Expression: {licence}\nLicense-File: LICENSE\nRequires-Python: >=3.8\n{address}"
        f"Description-Content-Type: text/markdown\n\n{(ROOT / 'README.md').read_text(encoding='utf-8')}"
    )
    files = [
        (f"{project}-{version}.data/scripts/{target.executable}", Path(args.binary).read_bytes(), 0o755),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644),
        (f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644),
    ]
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    path = Path(args.out) / f"{project}-{version}-{tag}.whl"
    write_zip(path, files, args.level)
    return path


def write_zip(path, files, level):
    method = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", method, compresslevel=level or None) as out:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, MOMENT)
            # Unix, also where it is packed on Windows: else the executable is none.
            entry.create_system, entry.compress_type = 3, method
            entry.external_attr = (0o100000 | mode) << 16
            out.writestr(entry, data)


def write_tar(path, files, level):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", level, file, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as out:
            for name, data, mode in files:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = len(data), mode, 0
                out.addfile(entry, io.BytesIO(data))


def npm_manifest(name, what, more, address):
    version, _, licence = manifest()
    source = {"repository": {"type": "git", "url": f"git+{address}.git"}} if address else {}
    return {"name": name, "version": version, "description": what, "license": licence, **source, **more}


def npm_package(out, described, files, level):
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    files = [("package.json", text.encode(), 0o644), ("LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644), *files]
    path = Path(out) / f"{described['name']}-{described['version']}.tgz"
    write_tar(path, [(f"package/{name}", data, mode) for name, data, mode in files], level)
    return path


def npm(args):
    """The package of one kind of machine, which the other one depends on."""
    target = TARGETS[args.target]
    more = {"os": [target.os], "cpu": [target.cpu], **({"libc": [target.libc]} if target.libc else {})}
    what = f"The executable of {NAME} for {target.os} on {target.cpu}"
    described = npm_manifest(target.npm, what, {**more, "preferUnplugged": True}, args.address)
    executable = (f"bin/{target.executable}", Path(args.binary).read_bytes(), 0o755)
    return npm_package(args.out, described, [executable], args.level)


def npm_main(args):
    """The package that people name: it starts the executable of the one that fits."""
    version, summary, _ = manifest()
    more = {
        "bin": {NAME: "bin/qtool.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {target.npm: version for target in TARGETS.values()},
    }
    files = [
        ("bin/qtool.js", (ROOT / "release/npm/qtool.js").read_bytes(), 0o755),
        ("README.md", (ROOT / "README.md").read_bytes(), 0o644),
    ]
    return npm_package(args.out, npm_manifest(NAME, summary, more, args.address), files, args.level)


def archive(args):
    """What is downloaded as it is: the executable in a folder, with licence and readme."""
    version, _, _ = manifest()
    target = TARGETS[args.target]
    folder = f"{NAME}-{version}-{args.target}"
    files = [
        (f"{folder}/{target.executable}", Path(args.binary).read_bytes(), 0o755),
        (f"{folder}/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644),
        (f"{folder}/README.md", (ROOT / "README.md").read_bytes(), 0o644),
    ]
    is_zip = target.os == "win32"
    path = Path(args.out) / f"{NAME}-{args.target}{'.zip' if is_zip else '.tar.gz'}"
    (write_zip if is_zip else write_tar)(path, files, args.level)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = {"wheel": wheel, "npm": npm, "npm-main": npm_main, "archive": archive}
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("--binary")
    parser.add_argument("--target", choices=TARGETS)
    parser.add_argument("--out", required=True)
    parser.add_argument("--project", default=NAME)
    parser.add_argument("--address")
    parser.add_argument("--level", type=int, default=9, choices=range(10))
    args = parser.parse_args()
    try:
        if args.kind != "npm-main":
            if not args.binary or not args.target:
                raise Fault(f"`{args.kind}` needs --binary and --target")
            check_binary(TARGETS[args.target], args.binary)
        if args.address and not re.fullmatch(r"https://[^\s/]+(/[^\s/]+)+", args.address):
            raise Fault(f"`{args.address}` is no address of a project")
        os.makedirs(args.out, exist_ok=True)
        print(kinds[args.kind](args))
    except (Fault, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
