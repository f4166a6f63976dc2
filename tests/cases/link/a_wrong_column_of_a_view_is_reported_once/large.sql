/*--- { kind: view } ---*/
SELECT id FROM shipped
