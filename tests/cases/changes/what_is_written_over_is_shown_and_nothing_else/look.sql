/*---
description: What is there.
source: app
lints: { missing-description: allow }
columns: { size: { type: text }, hits: { type: bigint } }
---*/
SELECT id, state, kind, size || '' AS size, at, (SELECT count(*) FROM found WHERE found MATCH docs.body) AS hits FROM docs ORDER BY id
