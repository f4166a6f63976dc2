SELECT id FROM shipped
