/*---
params:
  size: { type: "struct(w bigint, h bigint)", default: { w: 10, h: 20 } }
---*/
SELECT << size >> AS size
