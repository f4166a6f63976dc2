/*--- { kind: view } ---*/
-- error: [unknown-column]
SELECT id FROM orders WHERE prise < << most >>
