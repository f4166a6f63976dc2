SELECT *
-- error: [unknown-table]
FROM information_schema.df_settings
