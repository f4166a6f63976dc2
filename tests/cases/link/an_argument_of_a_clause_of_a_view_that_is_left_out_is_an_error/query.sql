SELECT count(*) AS n FROM below WHERE id < << before >>
