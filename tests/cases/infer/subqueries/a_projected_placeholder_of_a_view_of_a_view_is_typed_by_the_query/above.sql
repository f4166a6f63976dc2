/*--- { kind: view } ---*/
SELECT price, x AS least FROM below
