SELECT count(*) AS n FROM orders WHERE status <> << status >> AND id > << least >>
