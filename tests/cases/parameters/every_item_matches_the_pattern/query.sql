/*---
params: { codes: { pattern: "^[A-Z]{2}$", max_items: 3 } }
---*/
SELECT << codes: text[] >> AS codes
