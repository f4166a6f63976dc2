SELECT count(*) AS n FROM some(lo => << a >>, hi => << b >>) AS x CROSS JOIN some(lo => << c >>, hi => << d >>) AS y
