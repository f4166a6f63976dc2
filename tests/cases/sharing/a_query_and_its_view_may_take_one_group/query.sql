/*--- { params_from: common_dates } ---*/
SELECT count(*) AS n FROM recent WHERE day < << until >> AND day >= << since >>
