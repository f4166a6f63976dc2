/*---
params: { x: { type: varchar } }
---*/
SELECT upper(<< x: text >>) AS a, lower(<< x: TEXT >>) AS b
