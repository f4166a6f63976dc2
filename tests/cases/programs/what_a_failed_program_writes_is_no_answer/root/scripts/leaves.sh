sleep 60 &
echo an answer
