SELECT mixed.id, count(*) OVER () AS n FROM mixed JOIN dense ON mixed.id = dense.id ORDER BY mixed.id
