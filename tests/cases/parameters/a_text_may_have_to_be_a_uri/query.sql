/*---
params: { t: { format: uri } }
---*/
-- calls: three rows, then refused
SELECT << t: text >> AS t
