SELECT id FROM by_status WHERE price < << below >> AND price > << least: double >>
