//! What ends a statement in the server: a connection beside the one that it runs over.
//!
//! The server closes it when it has done what it was told. The driver does not wait for that, and `PgBouncer` 1.18 ends itself
//! where somebody else closes it first (its issue 801): so it is kept until then.

use futures::TryFutureExt;
use futures::future::MapOk;
use std::io;
use std::net::IpAddr;
#[cfg(unix)]
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio_postgres::config::Host;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{CancelToken, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The port of a server that says none.
const PORT: u16 = 5432;

/// How statements of a server are ended.
pub(super) struct Ending {
    /// Where it is; `None` where the driver ends them: it knows which of several servers of an address it is.
    place: Option<Place>,
    tls: MakeRustlsConnect,
}

/// Where a server is.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// A host, the name that its certificate is for, and a port.
    Tcp(String, String, u16),
    #[cfg(unix)]
    Socket(PathBuf),
}

impl Ending {
    /// As the driver does it: it does not wait for the server, which is faster.
    pub(super) fn by_driver(tls: MakeRustlsConnect) -> Ending {
        Ending { place: None, tls }
    }

    /// Of the pooler that an address names.
    pub(super) fn of_server(address: &Config, tls: MakeRustlsConnect) -> Ending {
        Ending { place: place(address), tls }
    }

    /// Tells the server to end what a session runs, and waits until it has. Whether it could be told.
    pub(super) async fn end(&self, session: &CancelToken) -> bool {
        let told = match &self.place {
            Some(Place::Tcp(host, name, port)) => match TcpStream::connect((host.as_str(), *port)).await {
                Ok(stream) => self.tell(session, stream, name).await,
                Err(_) => return false,
            },
            #[cfg(unix)]
            Some(Place::Socket(path)) => match UnixStream::connect(path).await {
                Ok(stream) => self.tell(session, stream, "").await,
                Err(_) => return false,
            },
            None => session.cancel_query(self.tls.clone()).await,
        };
        told.is_ok()
    }

    async fn tell<S>(&self, session: &CancelToken, stream: S, name: &str) -> Result<(), tokio_postgres::Error>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut tls = self.tls.clone();
        let Ok(tls) = MakeTlsConnect::<Kept<S>>::make_tls_connect(&mut tls, name);
        session.cancel_query_raw(Kept(stream), KeptBehind(tls)).await
    }
}

/// Where the only server of an address is.
fn place(address: &Config) -> Option<Place> {
    let port = match address.get_ports() {
        [] => PORT,
        [port] => *port,
        _ => return None,
    };
    let tcp = |host: &IpAddr, name: &str| Place::Tcp(host.to_string(), name.to_owned(), port);
    match (address.get_hosts(), address.get_hostaddrs()) {
        ([Host::Tcp(name)], []) => Some(Place::Tcp(name.clone(), name.clone(), port)),
        ([Host::Tcp(name)], [host]) => Some(tcp(host, name)),
        ([], [host]) => Some(tcp(host, "")),
        #[cfg(unix)]
        ([Host::Unix(folder)], []) => Some(Place::Socket(folder.join(format!(".s.PGSQL.{port}")))),
        _ => None,
    }
}

/// A stream that is closed by who is at its other end.
struct Kept<T>(T);

impl<T: AsyncRead + Unpin> AsyncRead for Kept<T> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Kept<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    /// Waits until the other end has closed it.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut bytes = [0; 64];
            let mut into = ReadBuf::new(&mut bytes);
            // However it is closed.
            if ready!(Pin::new(&mut self.0).poll_read(context, &mut into)).is_err() || into.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl<T: TlsStream + Unpin> TlsStream for Kept<T> {
    fn channel_binding(&self) -> ChannelBinding {
        self.0.channel_binding()
    }
}

/// Makes streams secret that are closed by who is at their other end.
struct KeptBehind<C>(C);

impl<S, C: TlsConnect<S>> TlsConnect<S> for KeptBehind<C> {
    type Stream = Kept<C::Stream>;
    type Error = C::Error;
    type Future = MapOk<C::Future, fn(C::Stream) -> Kept<C::Stream>>;

    fn connect(self, stream: S) -> Self::Future {
        self.0.connect(stream).map_ok(Kept as fn(C::Stream) -> Kept<C::Stream>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_server_of_an_address_is_known() {
        let place = |address: &str| place(&address.parse().unwrap());
        let tcp = |host: &str, name: &str, port| Some(Place::Tcp(host.to_owned(), name.to_owned(), port));
        assert_eq!(place("host=db.example"), tcp("db.example", "db.example", 5432));
        assert_eq!(place("host=db.example hostaddr=192.0.2.7 port=6432"), tcp("192.0.2.7", "db.example", 6432));
        assert_eq!(place("host=one.example,two.example"), None);
        #[cfg(unix)]
        assert_eq!(place("host=/run/db port=7"), Some(Place::Socket("/run/db/.s.PGSQL.7".into())));
    }
}
