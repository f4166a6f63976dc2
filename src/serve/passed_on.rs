//! What another server answered, as this one answers it: block by block.

use crate::engine::result::Passed;
use crate::upstreams::{Body, Content};
use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents};

/// The result of a call that another server has answered.
pub(super) fn result(passed: &Passed) -> CallToolResult {
    let mut result = CallToolResult::success(passed.content.iter().map(block).collect());
    if passed.content.is_empty() {
        // Older clients read nothing else.
        result.content = vec![ContentBlock::text(passed.text())];
    }
    result.structured_content = passed.structured.clone();
    result
}

/// A block as the protocol has it.
pub(super) fn block(content: &Content) -> ContentBlock {
    match content {
        Content::Text(text) => ContentBlock::text(text.clone()),
        Content::Image { mime, data } => ContentBlock::image(data.clone(), mime.clone()),
        Content::Audio { mime, data } => ContentBlock::audio(data.clone(), mime.clone()),
        Content::Resource { uri, mime, body } => {
            let contents = match body {
                Body::Text(text) => ResourceContents::text(text.clone(), uri.clone()),
                Body::Blob(bytes) => ResourceContents::blob(bytes.clone(), uri.clone()),
            };
            ContentBlock::resource(match mime {
                Some(mime) => contents.with_mime_type(mime.clone()),
                None => contents,
            })
        }
        Content::ResourceLink { uri, name, description, mime } => {
            let mut link = Resource::new(uri.clone(), name.clone());
            link.description.clone_from(description);
            link.mime_type.clone_from(mime);
            ContentBlock::resource_link(link)
        }
    }
}
