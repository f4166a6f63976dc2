/*--- { params: { note: { required: true } } } ---*/ SELECT id FROM orders WHERE note IS NOT DISTINCT FROM << note? >> -- error: [conflicting-configuration]
