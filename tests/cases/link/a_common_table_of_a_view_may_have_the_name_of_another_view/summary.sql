/*--- { kind: view } ---*/
WITH shipped AS (SELECT id FROM customers) SELECT count(*) AS customers FROM shipped
