SELECT count(*) AS n FROM orders WHERE 'order ' || << id: int >> = 'order ' || id
