/*---
params:
  # error: [invalid-setting]
  a: { from: claim.a, default: 1 }
  b: { from: claim.b }
---*/
SELECT count(*) AS n FROM orders WHERE customer_id = << a >>
  -- error: [invalid-setting]
  AND quantity IS NOT DISTINCT FROM << b? >>
