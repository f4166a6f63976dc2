/*---
description: Rows with a large number, of some label.
definition: compact
params:
  big: { description: The number }
  medium: { minimum: 100, description: At least that much }
---*/
SELECT id, label
FROM types
WHERE big = << big >>
  AND medium >= << medium >>
