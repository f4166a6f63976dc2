/*--- { params: { least: { required: true } } } ---*/ SELECT id FROM orders WHERE quantity >= << least = 5 >> -- error: [conflicting-configuration]
