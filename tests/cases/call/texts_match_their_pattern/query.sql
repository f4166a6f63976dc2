/*---
params: { a: { pattern: "^SF$", default: SF }, b: { pattern: "[0-9]+", default: "1" } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b
