-- calls: 5, 6
SELECT count(*) AS n FROM labelled WHERE label = status AND id <> << id >>
