-- error: [cannot-infer-type]
SELECT CAST({a: << a >>, z: << z >>} AS STRUCT(a INT)) AS record
