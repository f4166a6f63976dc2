/*--- { kind: view } ---*/
-- error: [invalid-default]
SELECT id FROM orders WHERE quantity > << least = 'few' >>
