/*---
kind: view
params: { a: { choices: { k1: "1", k2: "2", k3: "3", k4: "4", k5: "5", k6: "6", k7: "7", k8: "8" } } }
---*/
SELECT << a >> AS n
