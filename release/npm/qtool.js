#!/usr/bin/env node
// Starts the executable of the package that is for this machine. Standard input and output are its own, and it ends as
// that ends.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

// The packages that may fit, the likeliest first.
function packages() {
  const name = `qtool-${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [name];
  const header = process.report?.getReport().header;
  return header?.glibcVersionRuntime ? [name, `${name}-musl`] : [`${name}-musl`];
}

function executable() {
  const file = process.platform === "win32" ? "qtool.exe" : "qtool";
  for (const name of packages()) {
    try {
      return require.resolve(`${name}/bin/${file}`);
    } catch {
      // Not installed: it is for another machine, or was left out.
    }
  }
  return undefined;
}

const path = executable();
if (path === undefined) {
  console.error(`error: there is no qtool for ${process.platform} on ${process.arch} here`);
  console.error(` = help: ${packages()[0]} is an optional dependency: install without \`--omit=optional\``);
  process.exit(1);
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
// A terminal tells both; what is sent to this process alone is handed on.
const handlers = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => {
  const handler = () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  process.on(signal, handler);
  return [signal, handler];
});
child.on("error", (error) => {
  console.error(`error: ${path} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  for (const [name, handler] of handlers) process.off(name, handler);
  // As a shell says it, where the signal ends nothing here.
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  if (signal !== null) process.kill(process.pid, signal);
});
