/*--- { kind: view } ---*/
SELECT id FROM base WHERE status = 'shipped'
