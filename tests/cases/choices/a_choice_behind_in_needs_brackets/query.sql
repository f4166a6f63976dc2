/*---
params:
  group: { choices: { active: "'open', 'shipped'", returned: "'returned'" } }
---*/
SELECT count(*) AS n
FROM orders
-- error: [invalid-choice]
WHERE status IN << group >>
