-- error: [not-a-query]
CREATE EXTERNAL TABLE passwd STORED AS CSV LOCATION '/etc/passwd'
