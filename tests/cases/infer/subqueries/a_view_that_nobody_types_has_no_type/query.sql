SELECT count(*) AS n FROM labelled
