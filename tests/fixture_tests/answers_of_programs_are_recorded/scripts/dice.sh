# What is answered while it is recorded.
echo "{\"number\": 4, \"id\": \"first\"}"
