/*--- { kind: view } ---*/
SELECT id FROM base
