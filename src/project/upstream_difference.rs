//! How what another server says of itself differs from what is locked of it.

use super::upstream::LockedUpstream;

/// What of a server is not what is locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedDifference {
    /// `tool`, `prompt`, `resource` or `template`.
    pub kind: &'static str,
    /// Its name or URI there.
    pub name: String,
    /// What became of it.
    pub change: LockedChange,
}

/// What became of something that a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockedChange {
    /// It is no longer there.
    Gone,
    /// Something else is said of it.
    Other,
    /// It was not there.
    New,
}

impl LockedDifference {
    /// The difference in words.
    pub fn words(&self, server: &str) -> String {
        let LockedDifference { kind, name, change } = self;
        match change {
            LockedChange::Gone => format!("{kind} `{name}` of server `{server}` is gone"),
            LockedChange::Other => format!("server `{server}` says something else of {kind} `{name}` than is locked"),
            LockedChange::New => format!("{kind} `{name}` of server `{server}` is new"),
        }
    }
}

impl LockedUpstream {
    /// All that is taken of a server and not what is locked, each kind in the order of the locks, and then what is new.
    pub fn differences(&self, now: &LockedUpstream) -> Vec<LockedDifference> {
        let parts = |of: &LockedUpstream| -> [(&'static str, Vec<(String, String)>); 4] {
            [
                ("tool", of.tools.iter().map(|one| (one.name.clone(), one.digest())).collect()),
                ("prompt", of.prompts.iter().map(|one| (one.name.clone(), one.digest())).collect()),
                ("resource", of.resources.iter().map(|one| (one.uri.clone(), one.digest())).collect()),
                ("template", of.templates.iter().map(|one| (one.uri_template.clone(), one.digest())).collect()),
            ]
        };
        let mut all = Vec::new();
        for ((kind, before), (_, after)) in parts(self).into_iter().zip(parts(now)) {
            let other = before.iter().filter_map(|(name, digest)| {
                let change = match after.iter().find(|(known, _)| known == name) {
                    None => LockedChange::Gone,
                    Some((_, now)) if now != digest => LockedChange::Other,
                    Some(_) => return None,
                };
                Some(LockedDifference { kind, name: name.clone(), change })
            });
            let is_new = |name: &String| !before.iter().any(|(known, _)| known == name);
            let new = after.iter().map(|(name, _)| name).filter(|name| is_new(name));
            let new = new.map(|name| LockedDifference { kind, name: name.clone(), change: LockedChange::New });
            all.extend(other.chain(new));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::LockedTool;

    fn server(tools: &[(&str, &str)]) -> LockedUpstream {
        let tool = |(name, description): &(&str, &str)| LockedTool {
            name: (*name).to_owned(),
            description: Some((*description).to_owned()),
            ..LockedTool::default()
        };
        LockedUpstream { tools: tools.iter().map(tool).collect(), ..LockedUpstream::default() }
    }

    #[test]
    fn what_is_gone_other_and_new_is_told() {
        let (locked, now) =
            (server(&[("a", "1"), ("b", "1"), ("c", "1")]), server(&[("b", "2"), ("c", "1"), ("d", "1")]));
        let told: Vec<_> = locked.differences(&now).iter().map(|one| one.words("s")).collect();
        let expected = [
            "tool `a` of server `s` is gone",
            "server `s` says something else of tool `b` than is locked",
            "tool `d` of server `s` is new",
        ];
        assert_eq!(told, expected);
        assert_eq!(locked.differences(&locked), []);
    }
}
