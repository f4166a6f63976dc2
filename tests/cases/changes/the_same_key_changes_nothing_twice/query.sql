/*---
description: Gives a note a star.
source: app
expose: [idempotency_key, dry_run]
lints: { missing-description: allow }
---*/
UPDATE notes SET stars = stars + 1 WHERE id = << id >> RETURNING id, stars
