SELECT count(*) AS n FROM cheap WHERE price > << least >>
