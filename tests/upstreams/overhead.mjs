// What qtool adds to a call: the same tool of the same server, called over stdio by the same client, bare and behind qtool.
// The rounds take turns, so that whatever else this machine does falls on both.
//
//   overhead.mjs PROJECT QTOOL
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [project, qtool] = process.argv.slice(2);
const [rounds, each, warmUp] = [10, 50, 100];
// In milliseconds, in the middle, for a debug build.
const most = 10;
const sides = {
  bare: { command: "mcp-server-everything", args: ["stdio"], tool: "echo" },
  qtool: { command: qtool, args: ["-C", project, "serve"], tool: "echo" },
};

async function timed({ client, tool, took }, count) {
  for (let call = 0; call < count; call += 1) {
    const message = `call ${call}`;
    const begin = performance.now();
    const answer = await client.callTool({ name: tool, arguments: { message } });
    took.push(performance.now() - begin);
    if (answer.content[0].text !== `Echo: ${message}`) throw new Error(JSON.stringify(answer));
  }
}
for (const side of Object.values(sides)) {
  side.client = new Client({ name: "qtool-tests", version: "1.0.0" });
  await side.client.connect(new StdioClientTransport({ command: side.command, args: side.args, env: process.env, stderr: "ignore" }));
  side.took = [];
  await timed(side, warmUp);
  side.took = [];
}
for (let round = 0; round < rounds; round += 1) {
  for (const side of Object.values(sides)) await timed(side, each);
}
const at = (took, part) => [...took].sort((a, b) => a - b)[Math.floor(took.length * part)];
for (const [name, { client, took }] of Object.entries(sides)) {
  await client.close();
  console.log(`${name}: ${took.length} calls, p50 ${at(took, 0.5).toFixed(2)} ms, p95 ${at(took, 0.95).toFixed(2)} ms`);
}
const added = at(sides.qtool.took, 0.5) - at(sides.bare.took, 0.5);
// Judged by the quietest round: others may use this machine too.
const ofRound = (round, { took }) => at(took.slice(round * each, (round + 1) * each), 0.5);
const quietest = Math.min(...Array.from({ length: rounds }, (_, round) => ofRound(round, sides.qtool) - ofRound(round, sides.bare)));
console.log(`overhead: ${added.toFixed(2)} ms in the middle, ${quietest.toFixed(2)} ms in the quietest round`);
if (quietest > most) {
  console.log(`FAILED overhead: more than ${most} ms`);
  process.exitCode = 1;
}
