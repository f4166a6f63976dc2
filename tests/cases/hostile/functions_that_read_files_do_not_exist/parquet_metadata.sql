-- error: [unknown-function]
SELECT * FROM parquet_metadata('x.parquet')
