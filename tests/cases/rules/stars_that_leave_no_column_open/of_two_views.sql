WITH own AS (
  SELECT * FROM listed
)
SELECT * FROM own
