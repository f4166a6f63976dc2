/*---
description: All of them.
lints: { missing-description: allow }
---*/
SELECT k, n, note FROM kv ORDER BY k LIMIT 20
