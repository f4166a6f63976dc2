/*--- { kind: view } ---*/
SELECT id FROM orders WHERE status LIKE << words = 'b%' >> -- error: [conflicting-configuration]
