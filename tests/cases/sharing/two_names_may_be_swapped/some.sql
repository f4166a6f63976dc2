/*--- { kind: view } ---*/
SELECT id, price FROM orders WHERE price BETWEEN << lo >> AND << hi >>
