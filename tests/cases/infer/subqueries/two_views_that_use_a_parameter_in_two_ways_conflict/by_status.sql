/*--- { kind: view } ---*/
-- error: [conflicting-types]
SELECT id FROM orders WHERE status = << x >>
