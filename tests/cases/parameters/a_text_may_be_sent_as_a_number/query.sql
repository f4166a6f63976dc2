/*---
params: { state: { description: "The state, or a number." } }
---*/
SELECT << state: text | bigint | boolean >> AS sent, length(<< state >>) AS letters
