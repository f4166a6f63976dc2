/*--- { kind: view } ---*/
SELECT id, status, << x >> AS x FROM orders
