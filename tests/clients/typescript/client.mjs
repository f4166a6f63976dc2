// The official TypeScript SDK against `qtool serve`: every call of tests/example/calls.json over Streamable HTTP, with
// rows to be checked, and one call of every tool as it is written there over stdio. The SDK compiles every output schema in
// `listTools` and throws where a result does not conform.
//
//   client.mjs URL CALLS COMMAND ARGUMENT…
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, callsFile, command, ...args] = process.argv.slice(2);
const all = JSON.parse(readFileSync(callsFile, "utf8"));
// Takes half a minute in a debug build; the Rust tests call it.
const isSlow = ({ tool, arguments: sent }) => tool === "few_carrier_routes" && "carrier" in sent;
const calls = all.filter((call) => !isSlow(call));
// Of what is asked of a service or of another server, the answers are kept for the Rust tests.
const own = calls.filter(({ elsewhere }) => !elsewhere);
const oneEach = own.filter(({ tool }, index) => own.findIndex((call) => call.tool === tool) === index);
const transports = {
  http: { connect: () => new StreamableHTTPClientTransport(new URL(url)), thorough: true },
  stdio: { connect: () => new StdioClientTransport({ command, args }), thorough: false },
};
let passed = 0;
let failed = 0;

/** Runs one check; `check` says what is wrong, or throws. */
async function run(label, check) {
  const problem = await check().catch((error) => `${error}`);
  problem === undefined ? (passed += 1) : (failed += 1);
  console.log(`${problem === undefined ? "ok" : "FAILED"} ${label}${problem === undefined ? "" : `: ${problem}`}`);
}

function unequal(what, got, wanted) {
  return isDeepStrictEqual(got, wanted) ? undefined : `${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`;
}

for (const [name, { connect, thorough }] of Object.entries(transports)) {
  await run(name, async () => {
    const client = new Client({ name: "qtool-tests", version: "1.0.0" });
    await client.connect(connect());
    try {
      await run(`${name} tools/list`, async () => {
        const { tools, nextCursor } = await client.listTools();
        const called = new Set(calls.map((call) => call.tool));
        return unequal("next page", nextCursor, undefined)
          ?? unequal("tools", tools.map((tool) => tool.name).sort(), [...called].sort());
      });
      for (const { tool, arguments: sent, rows, first } of thorough ? own : oneEach) {
        await run(`${name} ${tool} ${JSON.stringify(sent)}`, async () => {
          const format = thorough ? { table_format: "structured" } : {};
          const answer = await client.callTool({ name: tool, arguments: { ...sent, ...format } });
          if (answer.isError) return answer.content[0].text;
          const got = answer.structuredContent;
          const problem = unequal("count", got.returned_result_count, rows);
          if (problem !== undefined || !thorough) return problem;
          return unequal("rows", got.rows.length, rows) ?? unequal("first row", Object.values(got.rows[0]), first);
        });
      }
      await run(`${name} a wrong argument is a tool's error`, async () => {
        const answer = await client.callTool({ name: calls[0].tool, arguments: { no_such_argument: 1 } });
        return unequal("isError", answer.isError, true) ?? unequal("content", answer.content[0].type, "text");
      });
      await run(`${name} an unknown tool is a protocol error`, async () => {
        const error = await client.callTool({ name: "no_such_tool", arguments: {} }).catch((error) => error);
        return unequal("code", error.code, -32602);
      });
    } finally {
      await client.close();
    }
  });
}
console.log(`typescript: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
