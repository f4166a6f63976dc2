-- error: [unknown-function]
SELECT * FROM read_parquet('s3://bucket/key')
