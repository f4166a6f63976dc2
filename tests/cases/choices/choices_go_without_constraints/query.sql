/*---
params:
  # error: [invalid-choice]
  a: { choices: { id: id, price: price }, allowed_values: [id] }
  # error: [invalid-choice]
  b: { choices: { id: id, price: price }, from: claim.sort }
  # error: [invalid-choice]
  c: { choices: { id: id, price: price }, type: int }
  # error: [invalid-choice]
  d: { choices: { id: id, price: price }, pattern: "^i" }
  # error: [invalid-choice]
  e: { choices: { id: id, price: price }, max_length: 5 }
  # error: [invalid-choice]
  f: { choices: { id: id, price: price }, minimum: 1 }
---*/
SELECT id FROM orders
-- error: [invalid-choice]
ORDER BY << a >>, << b >>, << c >>, << d >>, << e >>, << f >>, << g: int >>
