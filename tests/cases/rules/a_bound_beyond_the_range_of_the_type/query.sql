/*---
params:
  # error: [invalid-constraint]
  small: { maximum: 40000 }
---*/
SELECT id FROM types WHERE small = << small >>
