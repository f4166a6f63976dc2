/*---
description: Renames a note to who it is.
source: app
expose: [idempotency_key]
params: { who: { from: claim.tenant } }
lints: { missing-description: allow, missing-auth: allow }
---*/
UPDATE notes SET title = << who >>, stars = stars + 1 WHERE id = << id >> RETURNING id, title, stars
