-- error: [unknown-function]
SELECT * FROM parquet_metadata('/tmp/x.parquet')
