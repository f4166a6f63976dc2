SELECT id FROM types WHERE amount > << least >> AND medium > << least >>
