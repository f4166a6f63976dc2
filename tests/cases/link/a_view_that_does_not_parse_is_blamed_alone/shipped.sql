/*--- { kind: view } ---*/
-- error: [syntax-error]
SELECT id FROM orders WHERE
