/*---
# error: [invalid-choice]
params: { b: { choices: { k1: "1", k2: "2", k3: "3", k4: "4", k5: "5", k6: "6", k7: "7", k8: "8", k9: "9" } } }
---*/
SELECT n + << b >> AS n FROM numbers
