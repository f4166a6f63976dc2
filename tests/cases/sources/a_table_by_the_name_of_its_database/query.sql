SELECT id FROM auth_user -- error: [unknown-table]
