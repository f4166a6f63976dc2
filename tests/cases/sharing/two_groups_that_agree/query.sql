/*--- { params_from: [common_dates, more_dates, common_dates] } ---*/
SELECT count(*) AS n FROM orders WHERE day BETWEEN << since >> AND << until >>
