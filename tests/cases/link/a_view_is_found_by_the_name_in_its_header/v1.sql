/*--- { kind: view, name: Open Orders } ---*/
SELECT id FROM orders WHERE status = 'open'
