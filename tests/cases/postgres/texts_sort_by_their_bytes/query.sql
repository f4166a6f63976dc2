SELECT x FROM t WHERE x > << from >> ORDER BY x LIMIT 4
