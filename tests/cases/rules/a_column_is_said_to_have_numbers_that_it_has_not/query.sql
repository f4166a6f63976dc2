/*---
description: Types.
columns:
  # error: [invalid-setting]
  big: { decimal: number }
  # error: [invalid-setting]
  amount: { bigint: string }
  # error: [invalid-setting]
  label: { decimal: string }
  # error: [invalid-setting]
  small: { bigint: number }
---*/
SELECT big, amount, label, small FROM types WHERE id = << id >>
