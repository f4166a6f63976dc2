/*---
params: { t: { pattern: "^(a+)+$" } }
---*/
SELECT length(<< t: text >>) AS n
