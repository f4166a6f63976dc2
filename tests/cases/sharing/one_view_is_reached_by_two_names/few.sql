/*--- { kind: view } ---*/
SELECT id FROM cheap WHERE quantity >= 5
