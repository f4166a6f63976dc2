/*---
params: { t: { format: ipv6 } }
---*/
-- calls: three rows, then refused
SELECT << t: text >> AS t
