import os


def environment():
    return {name: os.environ[name] for name in sorted(os.environ) if name.startswith(("CASE_", "LC_", "LANG", "TZ"))}
