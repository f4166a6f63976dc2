/*---
params:
  a: { default: true }
  b: { default: 7 }
  c: { default: "1.50" }
  d: { default: 2024-02-29 }
  e: { default: "17:45" }
  f: { default: "2024-02-29T12:00:00" }
  g: { default: "2024-02-29T12:00:00+01:00" }
  h: { default: P1D }
  i: { default: [open, shipped] }
  j: { default: [] }
---*/
SELECT id
FROM types
WHERE flag = << a >> AND small = << b >> AND amount = << c >> AND day = << d >> AND clock = << e >>
  AND moment = << f >> AND instant = << g >> AND day + << h: interval >> > day
  AND label IN << i >> AND big IN << j >>
