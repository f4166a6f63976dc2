/*--- { params_from: common_dates } ---*/
SELECT << since >> AS since, << until >> AS until, count(*) AS n FROM orders WHERE day >= << since >>
