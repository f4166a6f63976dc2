SELECT count(*) AS all, count(amount) AS told, max(amount) AS most FROM t WHERE amount IS NOT NULL AND id < << below: int >>
