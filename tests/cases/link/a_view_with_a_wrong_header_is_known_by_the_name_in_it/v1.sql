/*--- { kind: view, name: shipped, colour: red } ---*/ -- error: [unknown-key]
SELECT id FROM orders WHERE status = 'shipped'
