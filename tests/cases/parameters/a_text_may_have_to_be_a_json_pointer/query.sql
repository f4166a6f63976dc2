/*---
params: { t: { format: json-pointer } }
---*/
-- calls: four rows, the empty pointer first; then refused
SELECT << t: text >> AS t
