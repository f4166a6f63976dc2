// The official TypeScript SDK against tools of other servers behind `qtool serve`, over Streamable HTTP and stdio. The SDK
// compiles every output schema in `listTools` and throws where a result does not conform. What is to come of the calls stands
// in CASES.
//
//   client.mjs CASES URL COMMAND ARGUMENT…
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [casesFile, url, command, ...args] = process.argv.slice(2);
const cases = JSON.parse(readFileSync(casesFile, "utf8"));
const parallel = 50;
const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(url)),
  stdio: () => new StdioClientTransport({ command, args, env: process.env }),
};
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const textOf = (answer) => answer.content.filter(({ type }) => type === "text").map(({ text }) => text).join("\n");
let passed = 0;
let failed = 0;

/** Runs one check, which throws what is wrong. */
async function run(label, check) {
  try {
    await check();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${label}: ${error}`);
  }
}

function equal(what, got, wanted) {
  if (!isDeepStrictEqual(got, wanted)) throw new Error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
}

/** Whether all is there that is wanted; objects may have more. */
function within(what, got, wanted) {
  if (typeof wanted !== "object" || typeof got !== "object") return equal(what, got, wanted);
  if (Array.isArray(wanted)) equal(`length of ${what}`, got.length, wanted.length);
  for (const [key, value] of Object.entries(wanted)) within(`${what}/${key}`, got[key], value);
}

async function listed(client) {
  const { tools } = await client.listTools();
  equal("tools", tools.map(({ name }) => name).sort(), cases.tools);
  within("told", Object.fromEntries(tools.map((tool) => [tool.name, tool])), cases.told);
  for (const word of cases.not_told) equal(`${word} is told`, JSON.stringify(tools).includes(word), false);
}

async function called(client, wanted) {
  const answer = await client.callTool({ name: wanted.tool, arguments: wanted.arguments });
  if (wanted.error !== undefined) {
    equal(`code (${textOf(answer)})`, answer._meta?.["qtool/error"]?.code, wanted.error);
    equal("is an error", answer.isError, true);
    for (const words of wanted.says ?? []) equal(`${words} is in ${textOf(answer)}`, textOf(answer).includes(words), true);
    return;
  }
  equal("error", answer.isError === true && textOf(answer), false);
  if (wanted.content !== undefined) within("content", answer.content, wanted.content);
  for (const [at, beginning] of Object.entries(wanted.begins ?? {})) {
    equal("beginning of the data", answer.content[at].data.slice(0, beginning.length), beginning);
  }
  if (wanted.structured !== undefined) equal("structured content", answer.structuredContent, wanted.structured);
  const whole = textOf(answer) + JSON.stringify(answer.structuredContent ?? null);
  for (const words of wanted.contains ?? []) equal(`${words} is in the answer`, whole.includes(words), true);
  for (const words of wanted.lacks ?? []) equal(`${words} is in the answer`, whole.includes(words), false);
}

async function toldOfProgress(client, { tool, arguments: sent, contains }) {
  const reached = [];
  const options = { onprogress: ({ progress, total }) => reached.push([progress, total]) };
  const answer = await client.callTool({ name: tool, arguments: sent }, undefined, options);
  equal("the answer is there", textOf(answer).includes(contains), true);
  // Once a second it is told how far the server says that it is, of a hundred.
  const [[done, total] = []] = reached;
  equal(`progress ${JSON.stringify(reached)}`, total === 100 && done >= 10 && done <= 100, true);
}

async function cancelled(client, { tool, arguments: sent, note, seen_by: seenBy }, label) {
  const noted = `${label} ${process.pid}`;
  const abort = new AbortController();
  const call = client.callTool(
    { name: tool, arguments: note === undefined ? sent : { ...sent, [note]: noted } }, undefined, { signal: abort.signal },
  );
  const outcome = call.then(() => "answered", () => "given up");
  await pause(400);
  abort.abort("no longer wanted");
  equal("outcome", await outcome, "given up");
  // Where nothing tells of it, the connection must go on all the same. Over HTTP before 2026-07-28 a request to stop another one belongs
  // to none.
  if (seenBy === undefined || label === "http") return equal("tools", (await client.listTools()).tools.length > 0, true);
  let stopped;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    stopped = (await client.callTool({ name: seenBy, arguments: {} })).structuredContent.result;
    if (stopped.includes(noted)) return;
    await pause(50);
  }
  throw new Error(`the server was not told to stop: ${stopped}`);
}

async function inParallel(client, { tool, arguments: sent, numbered, text, as_text: asText }) {
  const one = async (number) => {
    const argument = asText ? `${number}` : number;
    const answer = await client.callTool({ name: tool, arguments: { ...sent, [numbered]: argument } });
    equal("answer", textOf(answer), text.replaceAll("#", `${number}`));
  };
  await Promise.all(Array.from({ length: parallel }, (_, number) => one(number)));
}

for (const [at, connect] of Object.entries(transports)) {
  await run(at, async () => {
    const client = new Client({ name: "qtool-tests", version: "1.0.0" });
    await client.connect(connect());
    try {
      await run(`${at} list`, () => listed(client));
      for (const call of cases.calls) {
        await run(`${at} ${call.tool} ${JSON.stringify(call.arguments)}`, () => called(client, call));
      }
      for (const one of cases.progress) await run(`${at} progress of ${one.tool}`, () => toldOfProgress(client, one));
      for (const one of cases.cancelled) await run(`${at} cancelled ${one.tool}`, () => cancelled(client, one, at));
      for (const one of cases.parallel) await run(`${at} parallel ${one.tool}`, () => inParallel(client, one));
    } finally {
      await client.close();
    }
  });
}
console.log(`typescript: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
