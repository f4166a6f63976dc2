//! A transport that is looked at on both ways: requests are marked as sent, progress is passed on in its order, and
//! news of changed lists are noted. The handlers of the library run beside each other and would mix up the order.

use super::mark::Mark;
use super::news::News;
use super::send_failure::{Reached, SendFailure};
use super::watch::Progress;
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, GetExtensions, GetMeta, JsonRpcMessage, ProgressNotificationParam,
    ProgressToken, RequestId, ServerJsonRpcMessage, ServerNotification,
};
use rmcp::transport::Transport;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

type Calls = Arc<Mutex<HashMap<RequestId, (Option<ProgressToken>, Mark)>>>;

/// A transport, and the calls that are open on it.
pub(super) struct Watched<T> {
    inner: T,
    calls: Calls,
    news: News,
}

impl<T> Watched<T> {
    /// Looks at a transport; `news` is told of changed lists.
    pub(super) fn new(inner: T, news: News) -> Watched<T> {
        Watched { inner, calls: Calls::default(), news }
    }

    /// Notes what goes out. Gives the call that it is.
    fn note_sent(&self, message: &mut ClientJsonRpcMessage) -> Option<(RequestId, Mark)> {
        match message {
            JsonRpcMessage::Request(request) => {
                let mark = request.request.extensions().get::<Mark>()?.clone();
                let token = request.request.get_meta().get_progress_token();
                mark.begin();
                lock(&self.calls).insert(request.id.clone(), (token, mark.clone()));
                Some((request.id.clone(), mark))
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    lock(&self.calls).remove(id);
                }
                None
            }
            _ => None,
        }
    }

    /// Notes what comes in. Gives whether it is of use to nobody else.
    fn note_received(&self, message: &ServerJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Response(response) => drop(lock(&self.calls).remove(&response.id)),
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    lock(&self.calls).remove(id);
                }
            }
            JsonRpcMessage::Notification(notification) => match &notification.notification {
                ServerNotification::ProgressNotification(progress) => {
                    self.pass_on(&progress.params);
                    return true;
                }
                ServerNotification::ToolListChangedNotification(_)
                | ServerNotification::PromptListChangedNotification(_)
                | ServerNotification::ResourceListChangedNotification(_) => self.news.tell(),
                _ => {}
            },
            JsonRpcMessage::Request(_) => {}
        }
        false
    }

    fn pass_on(&self, told: &ProgressNotificationParam) {
        // As many as calls run at a time: looking at each costs less than a second table.
        let calls = lock(&self.calls);
        if let Some((_, mark)) = calls.values().find(|(token, _)| token.as_ref() == Some(&told.progress_token)) {
            mark.progress(Progress { done: told.progress, total: told.total, message: told.message.clone() });
        }
    }
}

impl<T> Transport<RoleClient> for Watched<T>
where
    T: Transport<RoleClient>,
    T::Error: Into<SendFailure>,
{
    type Error = SendFailure;

    fn send(
        &mut self,
        mut item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), SendFailure>> + Send + 'static {
        let call = self.note_sent(&mut item).map(|(id, mark)| (id, mark, self.calls.clone()));
        let sent = self.inner.send(item);
        async move {
            sent.await.map_err(|error| {
                let failure: SendFailure = error.into();
                if let Some((id, mark, calls)) = call {
                    lock(&calls).remove(&id);
                    if failure.reached != Reached::Perhaps {
                        mark.take_back();
                    }
                }
                failure
            })
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            if !self.note_received(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), SendFailure> {
        self.inner.close().await.map_err(Into::into)
    }
}

fn lock(calls: &Calls) -> std::sync::MutexGuard<'_, HashMap<RequestId, (Option<ProgressToken>, Mark)>> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}
