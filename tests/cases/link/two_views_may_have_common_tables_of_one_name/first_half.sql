/*--- { kind: view } ---*/
WITH picked AS (SELECT id FROM orders WHERE id <= 10) SELECT count(*) AS n FROM picked
