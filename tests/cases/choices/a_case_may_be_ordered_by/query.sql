/*---
params:
  sort:
    choices:
      open_first: CASE WHEN status = 'open' THEN 0 ELSE 1 END, id
      dear_first: CASE status WHEN 'open' THEN price ELSE -price END
---*/
SELECT id, status FROM orders WHERE id <= 8 ORDER BY << sort >>, id DESC
