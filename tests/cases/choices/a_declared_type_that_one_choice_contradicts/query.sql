/*---
params:
  metric:
    choices:
      status: status
      day: day
---*/
SELECT id
FROM orders
-- error: [conflicting-types]
WHERE << metric >> = << value: text >>
