/*--- { description: The number of messages. } ---*/
SELECT count(*) AS n
FROM logs
