SELECT << share = random() >> = << share >> AND << share >> BETWEEN 0.0 AND 1.0 AS share, << id: uuid = uuid() >> = << id >> AS id
