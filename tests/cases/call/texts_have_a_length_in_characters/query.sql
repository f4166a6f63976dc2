/*---
params: { t: { min_length: 2, max_length: 4 } }
---*/
SELECT << t: text >> AS t
