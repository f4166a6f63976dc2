-- error: [not-a-query]
SET datafusion.execution.batch_size = 1
