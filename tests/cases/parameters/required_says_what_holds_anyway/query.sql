/*---
params:
  a: { required: true }
  b: { required: false, default: 2 }
  c: { required: false }
  d: { required: false }
---*/
-- calls: 1, 2, null and 2; `a` is missing
SELECT << a: int >> AS a, << b: int >> AS b, << c?: int >> AS c,
  (SELECT count(*) FROM orders WHERE id > 18 [[ AND id = << d >> ]]) AS d
