/*--- { kind: view } ---*/
SELECT id FROM orders WHERE note LIKE << words = 'a%' >>
