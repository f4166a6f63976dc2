// Calls the tools of this folder's project by the client that `qtool emit typescript` makes of them: `node check.ts URL`,
// with the client beside it as `client.ts`. What the comments expect to be an error is one, or tsc complains.
import assert from "node:assert/strict";
import { Client, ToolError, type EveryTypeArguments, type EveryTypeRow, type UnusualColumnsRow } from "./client.ts";

const url = process.argv[2] ?? "";
const client = new Client(`${url}/`);

const sent: EveryTypeArguments = {
  a: true, b: -1, c: 2, d: 3, e: 0.5, f: 1e300, g: "12345678.90", h: "ö\n\"\\", i: "2024-02-29", j: "12:30:00",
  k: "2024-02-29T12:30:00", l: "2024-02-29T12:30:00Z", m: "P1D", n: "123e4567-e89b-12d3-a456-426614174000", o: "AP8=",
  p: { x: [1, null] }, q: [1, 2], r: { a: 1, b: ["x"] },
};
const all = await client.everyType(sent);
const row: EveryTypeRow | undefined = all.rows[0];
assert(row !== undefined);
for (const key of ["a", "b", "c", "d", "e", "f", "g", "h", "i", "n", "o", "q", "r"] as const) {
  assert.deepEqual(row[key], sent[key], key);
}
assert.deepEqual([all.returned_result_count, all.truncated], [1, false]);
assert.deepEqual(all.table_schema[6], { name: "g", type: "decimal(10,2)" });

const unusual: UnusualColumnsRow[] = (await client.unusualColumns()).rows;
assert.deepEqual(unusual.map((row) => [row["a b"], row["*/"], row['"""'], row["a\\"], row["__proto__"]]), [[1, 7, 8, 9, 6]]);

const echoed = await client.keywords({ from: "here", arguments: [3], self: undefined });
assert.deepEqual(echoed.rows, [{ from: "here", in: "there", self: "none", arguments: [3], constructor: false }]);
const values = await client.values({ words: "*/", numbers: -2, many: ["v19", "v01"] });
assert.deepEqual(values.rows, [{ words: "*/", numbers: -2, many: ["v19", "v01"] }]);
assert.deepEqual((await client.noParameters()).rows, [{ one: 1 }]);

for (const call of [
  client.class({ x: 2 }), client.import({ x: 2 }), client.new({ x: 2 }), client.default({ x: 2 }),
  client.constructor_({ x: 2 }), client.then_({ x: 2 }), client.toString_({ x: 2 }), client.x1_x1({ x: 2 }),
  client.x1_x_1({ x: 2 }),
]) {
  assert.deepEqual((await call).rows, [{ x: 2 }]);
}

await assert.rejects(
  // @ts-expect-error: an argument is missing.
  client.keywords({}),
  (error) => error instanceof ToolError && error.status === 400 && error.parameter === "from" && error.code === "missing-argument",
);
await assert.rejects(
  // @ts-expect-error: the value is not listed.
  client.values({ words: "!" }),
  (error) => error instanceof ToolError && error.parameter === "words" && error.allowed.length === 6 && error.message !== "",
);
// @ts-expect-error: there is no such argument.
await assert.rejects(client.class({ y: 1 }), ToolError);
// @ts-expect-error: it is a number.
const text: string = row.b;
assert.equal(text, -1);
await assert.rejects(
  new Client(`${url}/nothing`).class(),
  (error) => error instanceof ToolError && error.status === 404 && error.code !== "",
);
console.log("typescript: the generated client calls all tools");
