SELECT e, c, count(*) AS n, min(id) AS first FROM t WHERE e IN << labels >> AND c = << code >> [[ AND NOT (e = << other >>) ]] GROUP BY e, c ORDER BY e DESC
