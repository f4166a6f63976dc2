/*---
params:
  city: { pattern: "^SF$" }
  age: { exclusive_minimum: 0, exclusive_maximum: 120, multiple_of: 2 }
  names: { min_items: 1, max_items: 5 }
---*/
-- calls: one row; one refusal each; three refusals at once
SELECT << city: text >> AS city, << age: int >> AS age, << names: text[] >> AS names
