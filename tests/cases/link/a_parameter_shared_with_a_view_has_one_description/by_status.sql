/*--- { kind: view, params: { status: { description: The status. } } } ---*/
SELECT id, status FROM orders WHERE status = << status >>
