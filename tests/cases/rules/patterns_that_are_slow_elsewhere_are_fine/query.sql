/*---
params:
  a: { pattern: "(.+)+" }
  b: { pattern: "^(a|aa)+$" }
  c: { pattern: "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|many|more" }
---*/
SELECT id FROM orders WHERE status = << a >> AND status = << b >> AND status = << c >>
