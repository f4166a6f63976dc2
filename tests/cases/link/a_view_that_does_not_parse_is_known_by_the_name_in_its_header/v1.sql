/*--- { kind: view, name: shipped } ---*/
-- error: [syntax-error]
SELECT id FROM orders WHERE
