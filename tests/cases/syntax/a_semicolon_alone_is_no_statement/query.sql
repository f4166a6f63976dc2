; -- error: [empty-query]
