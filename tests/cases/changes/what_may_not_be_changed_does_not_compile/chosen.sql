/*---
description: Something.
source: app
# error: [invalid-choice]
params: { what: { choices: { one: "'open'", two: "'done'" } } }
lints: { missing-description: allow }
---*/
UPDATE notes SET status = << what >> WHERE id = << id >>
