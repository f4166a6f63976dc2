/*--- { kind: view } ---*/
-- error: [unknown-column]
SELECT id, quantiti FROM orders WHERE status = 'shipped'
