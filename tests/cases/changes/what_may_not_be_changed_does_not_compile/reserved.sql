/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [reserved-name]
UPDATE notes SET stars = << dry_run: int >> WHERE id = << idempotency_key: bigint >>
