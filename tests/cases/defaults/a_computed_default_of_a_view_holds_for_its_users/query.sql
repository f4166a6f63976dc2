SELECT count(*) AS n, min(id) AS first FROM recent_orders WHERE status <> << without = 'can' || 'celled' >>
