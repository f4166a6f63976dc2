/*---
description: Puts values.
source: app
max_changes: 5
# error: [invalid-setting]
confirm: true
lints: { missing-description: allow }
---*/
INSERT INTO changes_a_person_is_shown_what_is_written_over.kv (k, n) VALUES (<< k >>, << n >>) ON CONFLICT (k) DO UPDATE SET n = excluded.n
