/*---
description: Who ordered, and how often.
---*/
SELECT
  id,
  upper(email) AS written_to, -- warning: [unmasked-pii]
  email LIKE '%@acme.org' AS is_acme,
  count(email) OVER () AS n
FROM orders
WHERE email IS NOT NULL
ORDER BY email, id
