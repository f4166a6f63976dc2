SELECT j ->> << key >> AS value FROM (VALUES ('{"a": "x", "b": {"c": 1}}'), (NULL)) AS v (j)
