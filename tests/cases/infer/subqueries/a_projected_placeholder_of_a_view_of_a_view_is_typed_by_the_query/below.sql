/*--- { kind: view } ---*/
SELECT price, << x >> AS x FROM orders
