/*---
description: Something.
source: app
# error: [invalid-setting]
isolation: serializable
# error: [invalid-setting]
expose: [idempotency_key]
lints: { missing-description: allow }
---*/
SELECT id FROM notes WHERE id = << id >>
