"""What a schema does not know of a workflow: whether its scripts are scripts, and whether what it refers to is there."""

import re
import subprocess
import sys

from ruamel.yaml import YAML

with open(sys.argv[1], encoding="utf-8") as file:
    workflow = YAML(typ="safe").load(file)

jobs, faults = workflow["jobs"], []
for name, job in jobs.items():
    needs = job.get("needs", [])
    needs = [needs] if isinstance(needs, str) else needs
    faults += [f"{name} needs `{other}`, which is no job" for other in needs if other not in jobs]
    text = str(job)
    for other, output in re.findall(r"needs\.([\w-]+)\.outputs\.([\w-]+)", text):
        if other not in needs or output not in jobs.get(other, {}).get("outputs", {}):
            faults.append(f"{name} takes `{output}` of `{other}`, which gives none to it")
    keys = {key for one in job.get("strategy", {}).get("matrix", {}).get("include", []) for key in one}
    faults += [f"{name} has no `{key}` in its matrix" for key in re.findall(r"matrix\.([\w-]+)", text) if key not in keys]
    for step in job["steps"]:
        script = step.get("run")
        if script is None:
            continue
        # What is substituted into a script is a script: values come in by the environment.
        if "${{" in script:
            faults.append(f"{name}: an expression stands in a script")
        known = {*workflow.get("env", {}), *job.get("env", {}), *step.get("env", {})}
        done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
        if done.returncode:
            faults.append(f"{name}: {done.stderr.strip()}")
        own = set(re.findall(r"\b([A-Z][A-Z_]+)=", script)) | {"GITHUB_OUTPUT", "GITHUB_ENV", "RUNNER_OS", "RUNNER_TEMP"}
        own |= {found for other in job["steps"] for found in re.findall(r'"([A-Z_]+)=[^"]*" ?>>"\$GITHUB_ENV"', other.get("run", ""))}
        for used in re.findall(r"\$\{?([A-Z][A-Z_]+)", script):
            if used not in known | own:
                faults.append(f"{name}: nothing sets ${used}")

if faults:
    sys.exit("\n".join(f"error: {fault}" for fault in faults))
