/*---
params: { t: { format: ipv4 } }
---*/
-- calls: two rows, then refused
SELECT << t: text >> AS t
