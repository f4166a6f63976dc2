/*---
description: Closes what was seen. Nobody knows in which form another table keeps its moments.
source: app
max_changes: 9
params: { since: { description: From when on. } }
---*/
UPDATE todo SET done = true WHERE id IN (SELECT id FROM seen WHERE moment >= << since >>) -- error: [cannot-infer-type]
