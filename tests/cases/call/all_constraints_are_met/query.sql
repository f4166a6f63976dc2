/*---
params:
  code: { pattern: "^[A-Z]{2,3}$", min_length: 2, max_length: 3, allowed_values: [SF, LA, NYC] }
---*/
SELECT << code: text >> AS code
