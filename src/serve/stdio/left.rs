//! Whether somebody still reads what the server writes, while it has nothing to write.

/// Waits until nobody reads standard output any more; for ever where that shows at the next write only.
#[cfg(unix)]
pub(super) async fn output_is_left() {
    use std::os::fd::AsFd as _;
    use tokio::io::Interest;
    use tokio::net::unix::pipe::Sender;
    // One of its own: who writes may watch the other. Nothing is written to it, so it may be no pipe, and stays in the mode
    // that it is in. A file cannot be watched, and has nobody who leaves.
    let own = std::io::stdout().as_fd().try_clone_to_owned();
    if let Ok(watched) = own.and_then(Sender::from_owned_fd_unchecked)
        && watched.ready(Interest::ERROR).await.is_ok()
    {
        return;
    }
    std::future::pending().await
}

/// The same where there is no way to ask.
#[cfg(not(unix))]
pub(super) async fn output_is_left() {
    std::future::pending().await
}
