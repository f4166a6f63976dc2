/*---
description: Something.
source: app
# error: [invalid-setting]
cache_ttl: 1m
lints: { missing-description: allow }
---*/
DELETE FROM notes WHERE id = << id >>
