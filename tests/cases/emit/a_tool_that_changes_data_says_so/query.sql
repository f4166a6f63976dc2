/*---
description: Gives a note stars.
params:
  id: { description: Which note. }
  stars: { description: How many., minimum: 0 }
  status: { description: What it is then. }
source: app
expose: [dry_run, idempotency_key]
---*/
UPDATE notes SET stars = << stars >>, status = << status >> WHERE id = << id >>
