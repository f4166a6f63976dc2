/*---
description: Gives a note a star.
source: app
expose: [idempotency_key, dry_run]
lints: { missing-description: allow }
---*/
UPDATE changes_the_same_key_changes_nothing_twice.notes SET stars = stars + 1 WHERE id = << id >>;
SELECT id, stars FROM changes_the_same_key_changes_nothing_twice.notes WHERE id = << id >>
