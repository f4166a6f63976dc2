/*---
# error: [invalid-choice]
params: { a: { choices: { k1: "1", k2: "2", k3: "3", k4: "4", k5: "5" } }, b: { choices: { k1: "1", k2: "2", k3: "3", k4: "4", k5: "5", k6: "6", k7: "7", k8: "8", k9: "9", k10: "10", k11: "11", k12: "12", k13: "13" } } }
---*/
SELECT << a >> + << b >> AS n
