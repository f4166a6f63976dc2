SELECT
    id,
    s >= << since >> AS s,
    ms >= << since >> AS ms,
    us >= << since >> AS us,
    ns >= << since >> AS ns,
    s = ms AS equal,
    greatest(s, << since >>) AS later,
    coalesce(<< other? >>, s, ms) AS one_of_them,
    CASE WHEN id = 1 THEN ms ELSE << since >> END AS one,
    s + << step: interval >> AS shifted
FROM times
WHERE
    s BETWEEN << since >> AND TIME '23:00:00'
    OR s IN << days >>
    OR ms > (SELECT max(ns) FROM times)
    OR ns IN (SELECT us FROM times)
ORDER BY id
