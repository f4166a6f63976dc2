/*--- { kind: view, params: { status: { allowed_values: { query: SELECT status FROM orders } } } } ---*/
SELECT id, status FROM orders WHERE status = << status >>
