SELECT "Region", "2023", "2024", "#1", "Region#2" FROM sales WHERE "2024" >= << least >> ORDER BY "Region"
