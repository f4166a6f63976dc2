/*---
params:
  statuses: { fixed: [open, shipped] }
  sort: { choices: { newest: id DESC, oldest: id }, fixed: newest }
---*/
SELECT id, status FROM orders WHERE status IN << statuses >> ORDER BY << sort >>
