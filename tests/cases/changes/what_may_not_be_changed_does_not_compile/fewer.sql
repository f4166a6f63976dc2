/*---
description: Something.
source: app
# error: [invalid-setting]
max_changes: 1
lints: { missing-description: allow }
---*/
INSERT INTO tags (note, tag) VALUES (<< note >>, 'a'), (<< note >>, 'b')
