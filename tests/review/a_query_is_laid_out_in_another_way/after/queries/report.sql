-- Orders in a state.
select Id from Orders where Status = <<state>> /* as written */;
