/*---
params:
  group:
    choices:
      active: "'open', 'shipped'"
      returned: "'returned'"
      glued: "'can' || 'celled'"
---*/
SELECT count(*) AS n FROM orders WHERE status IN (<< group >>)
