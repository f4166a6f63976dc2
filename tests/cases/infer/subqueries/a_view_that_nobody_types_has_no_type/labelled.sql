/*--- { kind: view } ---*/
-- error: [cannot-infer-type]
SELECT id, << label >> AS label FROM orders
