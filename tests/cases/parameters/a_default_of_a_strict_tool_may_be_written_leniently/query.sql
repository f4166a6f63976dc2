/*---
strict: true
params:
  n: { default: "5" }
  d: { default: 1.5 }
  b: { default: "true" }
  span: { default: 1 day }
---*/
-- The author is read leniently, the agent is not.
SELECT << n: int >> AS n, << d: decimal(5,2) >> AS d, << b: boolean >> AS b, << span: interval >> AS span
