/*---
params: { metric: { choices: { rest: quantity % 4, weighted: quantity * 10 - id } } }
---*/
SELECT id, << metric >> AS value, << metric >> - 1 AS less FROM orders WHERE << metric >> > 2 AND id <= 10 ORDER BY << metric >> DESC, id
