/*---
params:
  a: { choices: { k1: "1", k2: "2", k3: "3", k4: "4" } }
  b: { choices: { k1: "10", k2: "20", k3: "30", k4: "40" } }
  c: { choices: { k1: "100", k2: "200", k3: "300", k4: "400" } }
---*/
SELECT << a >> + << b >> + << c >> AS n
