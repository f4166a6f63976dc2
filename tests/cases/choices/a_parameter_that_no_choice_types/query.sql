/*---
params:
  what: { choices: { nothing: "NULL", none: (NULL) } }
---*/
SELECT id
FROM orders
-- error: [cannot-infer-type]
WHERE << what >> = << word >>
