SELECT << n: bigint = 10 / (CAST(date_part('day', current_date) AS bigint) - 4) >> AS n
