SELECT count(*) AS n FROM recent
