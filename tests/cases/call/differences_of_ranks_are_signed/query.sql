SELECT team, before_rank - after_rank AS moved, before_rank * 10 + after_rank AS both
FROM (
  SELECT team, rank() OVER (ORDER BY before DESC) AS before_rank, row_number() OVER (ORDER BY after DESC) AS after_rank
  FROM s
)
WHERE before_rank - after_rank < << below = 5 >>
ORDER BY moved DESC, team
