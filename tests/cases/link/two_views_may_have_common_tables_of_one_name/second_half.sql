/*--- { kind: view } ---*/
WITH picked AS (SELECT id FROM orders WHERE id > 12) SELECT count(*) AS n FROM picked
