/*--- { kind: view } ---*/
SELECT id -- the number
FROM orders WHERE status = 'shipped' -- only those
;
-- done
