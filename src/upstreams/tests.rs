//! The clients against a server that misbehaves on demand. It is a program in Python: without that, each test says so and is over.

mod http;
mod pipes;
mod room;
