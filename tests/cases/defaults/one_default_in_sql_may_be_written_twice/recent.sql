/*--- { kind: view } ---*/
SELECT id, day FROM orders WHERE day >= << since = current_date - 7 >>
