/*--- { kind: view } ---*/
SELECT id, status, << label >> AS label FROM orders
