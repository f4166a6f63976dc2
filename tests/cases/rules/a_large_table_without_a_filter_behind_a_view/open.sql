SELECT id FROM labelled WHERE label = 'OPEN'
