SELECT c.id FROM cheap( most=><< top >> ) c ORDER BY c.id
