/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
WITH few AS (SELECT 'x' AS tag) UPDATE notes AS n SET stars = 9 FROM tags AS t WHERE t.note = n.id AND n.id = << id >> AND t.tag IN (SELECT 'shop' FROM few)
