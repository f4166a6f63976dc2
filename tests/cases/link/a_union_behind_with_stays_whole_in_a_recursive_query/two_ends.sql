/*--- { kind: view } ---*/
WITH few AS (SELECT id FROM orders WHERE id < 3) SELECT id FROM few UNION ALL SELECT 20
