"""Projects of many queries, and what qtool makes of them."""

import http.client
import json
import re
import subprocess
import threading

from tables import File, View

HEADER = "/*--- { description: Q., result_limit: none } ---*/\n"
CONFIG = "name: corpus\nlints: { unnamed-column: allow }\n"


class Server:
    """One process that serves a project."""

    def __init__(self, binary, folder):
        self.process = subprocess.Popen([binary, "-C", str(folder), "serve", "--listen", "127.0.0.1:0"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.port, self.said = None, []
        for line in self.process.stderr:
            self.said.append(line.decode("utf-8", "replace"))
            found = re.search(r"at http://127\.0\.0\.1:(\d+)/", self.said[-1])
            if found:
                self.port = int(found.group(1))
                break
        # Nobody else reads it, and a full pipe would stop the server.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def call(self, tool, arguments):
        """The answer as an object, or the error as one."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            connection.request("POST", f"/tools/{tool}", arguments, {"Content-Type": "application/json"})
            answer = json.loads(connection.getresponse().read(), parse_float=str)
            connection.close()
            return answer
        except (OSError, http.client.HTTPException, ValueError) as error:
            return {"error": {"code": "no-answer", "message": str(error)}}

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def written(folder, tables, queries):
    """Writes a project: its tables, and each query by its name."""
    (folder / "queries").mkdir(parents=True)
    lines = [CONFIG]
    files = {name: table for name, table in tables.items() if isinstance(table, File)}
    if files:
        lines.append("tables:\n")
    for name, table in files.items():
        lines.append(f"  {name}: {json.dumps(table.settings())}\n")
    (folder / "qtool.yaml").write_text("".join(lines), encoding="utf-8")
    for name, table in tables.items():
        if isinstance(table, View):
            text = f"/*--- {{ kind: view }} ---*/\n{table.query}\n"
            (folder / "queries" / f"{name}.sql").write_text(text, encoding="utf-8")
    for name, sql in queries.items():
        (folder / "queries" / f"{name}.sql").write_text(HEADER + sql + "\n", encoding="utf-8")


def refused(binary, folder):
    """What does not compile, by file: lists of (code, message). Those files are taken out. And a server of the rest."""
    by_file = {}
    for _ in range(20):
        done = subprocess.run([binary, "-C", str(folder), "check", "--format", "json"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=1800)
        if done.returncode not in (0, 1, 2):
            return by_file, None, done.stderr[-2000:]
        for line in done.stdout.splitlines():
            said = json.loads(line)
            if said["severity"] != "error":
                continue
            path = next((label["path"] for label in said.get("labels", []) if label.get("primary")), "")
            by_file.setdefault(path, []).append((said["code"], said["message"]))
            if not path.startswith("queries/"):
                return by_file, None, said["message"]
            (folder / path).unlink(missing_ok=True)
        server = Server(binary, folder)
        if server.port is not None:
            return by_file, server, ""
        server.close()
    return by_file, None, "".join(server.said)
