SELECT * FROM (
    VALUES
    (1, interval '1 day'),
    (2, interval '24 hours'),
    (3, interval '1 month'),
    (4, interval '30 days'),
    (5, interval '48 hours'),
    (6, interval '720 hours'),
    (7, NULL)
) AS v (id, span)
