SELECT id FROM a JOIN orders USING (id)
