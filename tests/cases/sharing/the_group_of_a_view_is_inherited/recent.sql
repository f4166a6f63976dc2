/*--- { kind: view, params_from: common_dates } ---*/
SELECT day FROM orders WHERE day BETWEEN << since >> AND << until >>
