/*---
params:
  # error: [invalid-default]
  third: { default: { sql: 1.0 / 3 } }
  part: { default: { sql: "round(1.0 / 3, 6)" } }
  square: { default: { sql: 1.1 * 1.1 } }
---*/
SELECT id,
       amount * << third >> AS third,
       amount * << part >> AS part,
       amount * << square >> AS square,
       -- error: [invalid-default]
       amount * << exact = CAST('1.12345678' AS decimal(18,8)) >> AS exact
FROM types
