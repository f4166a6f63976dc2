SELECT count(*) AS n
-- warning: [unfiltered-scan]
FROM labelled
