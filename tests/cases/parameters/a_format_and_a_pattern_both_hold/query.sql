/*---
params: { address: { format: email, pattern: '@example\.com$', max_length: 20 } }
---*/
-- calls: one row, three refusals
SELECT << address: text >> AS address
