/*--- { kind: view } ---*/
SELECT id FROM by_status WHERE quantity >= << least >>
