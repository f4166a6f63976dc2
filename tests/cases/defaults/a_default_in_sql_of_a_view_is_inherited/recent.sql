/*--- { kind: view } ---*/
SELECT id, day FROM orders WHERE day >= << since = current_date - interval '30 days' >>
