/*---
params:
  a: { minimum: -5, maximum: 5 }
  b: { exclusive_minimum: 0.5, exclusive_maximum: 1.5 }
  c: { minimum: "0.01", maximum: "99.99" }
  d: { minimum: 2024-01-01, maximum: 2024-12-31 }
  e: { minimum: "08:00", maximum: "18:30" }
  f: { minimum: "2024-01-01T00:00:00" }
  g: { minimum: "2024-01-01T00:00:00Z" }
---*/
SELECT id
FROM types
WHERE small = << a >> AND dbl = << b >> AND amount = << c >> AND day = << d >> AND clock = << e >> AND moment = << f >>
  AND instant = << g >>
