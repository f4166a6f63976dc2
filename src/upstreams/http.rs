//! Servers that answer over streamable HTTP.

mod body;
mod events;
mod http_error;
mod poster;
mod posting;
mod redirects;

pub(super) use poster::Poster;
