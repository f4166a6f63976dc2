"""Packages of every target, around executables that are none but look so: what is in them, and what is refused."""

import base64
import csv
import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HEADS = {
    "x86_64-unknown-linux-gnu": b"\x7fELF" + bytes(14) + b"\x3e\0",
    "aarch64-unknown-linux-gnu": b"\x7fELF" + bytes(14) + b"\xb7\0",
    "x86_64-unknown-linux-musl": b"\x7fELF" + bytes(14) + b"\x3e\0",
    "aarch64-unknown-linux-musl": b"\x7fELF" + bytes(14) + b"\xb7\0",
    "x86_64-apple-darwin": b"\xcf\xfa\xed\xfe\x07\0\0\x01",
    "aarch64-apple-darwin": b"\xcf\xfa\xed\xfe\x0c\0\0\x01",
    "x86_64-pc-windows-msvc": b"MZ\x90\0",
}
BODY = bytes(32) + b"\0GLIBC_2.17\0GLIBC_2.35\0GLIBC_2.4\0" + bytes(32)


def run(*args):
    return subprocess.run([sys.executable, ROOT / "release/packages.py", *args], text=True, capture_output=True)


def packed(*args):
    done = run(*args)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def refused(words, *args):
    done = run(*args)
    assert done.returncode == 1 and words in done.stderr and "Traceback" not in done.stderr, done


def files_of_tar(path):
    with tarfile.open(path) as tar:
        return {entry.name: (entry.mode, tar.extractfile(entry).read()) for entry in tar.getmembers()}


def check_wheel(path, tag, content):
    assert path.name.endswith(f"-py3-none-{tag}.whl"), path
    with zipfile.ZipFile(path) as wheel:
        files = {entry.filename: (entry.external_attr >> 16, wheel.read(entry)) for entry in wheel.infolist()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    rows = list(csv.reader(io.StringIO(files[record][1].decode())))
    assert [name for name, _, _ in rows] == list(files), rows
    for name, digest, size in rows[:-1]:
        data = files[name][1]
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, size) == (f"sha256={found}", str(len(data))), name
    assert rows[-1][1:] == ["", ""]
    scripts = {name: file for name, file in files.items() if ".data/scripts/" in name}
    assert list(scripts.values()) == [(0o100755, content)], scripts
    text = files[record.replace("RECORD", "WHEEL")][1].decode()
    assert f"\nTag: py3-none-{tag}\n" in text and "Root-Is-Purelib: false" in text, text


def main(folder):
    tags = {
        "x86_64-unknown-linux-gnu": "manylinux_2_35_x86_64",
        "aarch64-unknown-linux-gnu": "manylinux_2_35_aarch64",
        "x86_64-unknown-linux-musl": "musllinux_1_2_x86_64",
        "aarch64-unknown-linux-musl": "musllinux_1_2_aarch64",
        "x86_64-apple-darwin": "macosx_10_12_x86_64",
        "aarch64-apple-darwin": "macosx_11_0_arm64",
        "x86_64-pc-windows-msvc": "win_amd64",
    }
    names = set()
    for target, head in HEADS.items():
        content = head + BODY
        binary = folder / target
        binary.write_bytes(content)
        of = ["--binary", str(binary), "--target", target, "--out", str(folder / "out")]
        check_wheel(packed("wheel", *of), tags[target], content)
        path = packed("npm", *of)
        files = files_of_tar(path)
        described = json.loads(files["package/package.json"][1])
        executable = "qtool.exe" if "windows" in target else "qtool"
        assert files[f"package/bin/{executable}"] == (0o755, content)
        assert path.name == f"{described['name']}-{described['version']}.tgz" and "repository" not in described
        names.add(described["name"])
        # The same input, the same bytes.
        before = path.read_bytes()
        assert packed("npm", *of).read_bytes() == before
        archive = packed("archive", *of)
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as files:
                assert any(name.endswith(f"-{target}/qtool.exe") for name in files.namelist())
        else:
            assert any(name.endswith(f"-{target}/qtool") for name in files_of_tar(archive))

    address = "https://example.com/a/qtool"
    main = files_of_tar(packed("npm-main", "--out", str(folder / "out"), "--address", address))
    described = json.loads(main["package/package.json"][1])
    assert set(described["optionalDependencies"]) == names and len(names) == len(HEADS)
    assert described["repository"]["url"] == f"git+{address}.git"
    assert main["package/bin/qtool.js"][0] == 0o755
    assert gzip.decompress((folder / "out" / f"qtool-{described['version']}.tgz").read_bytes())

    linux = ["--target", "x86_64-unknown-linux-gnu", "--out", str(folder / "out")]
    of = ["--binary", str(folder / "x86_64-unknown-linux-gnu")]
    other = packed("wheel", *of, *linux, "--project", "Sql.Tools")
    assert other.name.startswith("sql_tools-"), other
    short = folder / "short"
    short.write_bytes(HEADS["x86_64-unknown-linux-gnu"] + BODY + b"\0GLIBC_ABI_DT_RELR\0")
    assert "manylinux_2_36_" in packed("wheel", "--binary", str(short), *linux).name

    refused("no executable for linux on x64", "wheel", "--binary", str(folder / "aarch64-unknown-linux-gnu"), *linux)
    refused("no executable for linux on x64", "npm", "--binary", str(ROOT / "LICENSE"), *linux)
    static = folder / "static"
    static.write_bytes(HEADS["x86_64-unknown-linux-gnu"] + bytes(40))
    refused("asks for no glibc", "wheel", "--binary", str(static), *linux)
    refused("needs --binary and --target", "wheel", "--out", str(folder))
    refused("No such file", "wheel", "--binary", str(folder / "nothing"), *linux)
    refused("no address of a project", "npm-main", "--out", str(folder), "--address", "qtool")
    refused("PyPI has no project", "wheel", *of, *linux, "--project", "a b")


with tempfile.TemporaryDirectory() as folder:
    main(Path(folder))
