/*---
params:
  # error: [conflicting-configuration]
  top: { description: The top. }
---*/
SELECT id FROM cheap(most => << top >>)
