/*---
params: { t: { format: email } }
---*/
-- calls: two rows, then refused
SELECT << t: text >> AS t
