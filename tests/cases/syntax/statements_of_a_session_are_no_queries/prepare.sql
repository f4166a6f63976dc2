-- error: [not-a-query]
PREPARE p AS SELECT 1
