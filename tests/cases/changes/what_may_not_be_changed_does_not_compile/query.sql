/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [not-writable]
UPDATE qtool_calls SET answer = << answer >> WHERE id = << id >>
