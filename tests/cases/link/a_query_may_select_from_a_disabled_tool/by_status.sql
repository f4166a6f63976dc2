/*--- { enabled: false } ---*/
SELECT id FROM orders WHERE status = << status >>
