//! What a person has said to a change that a call would make.

/// Whether a person has agreed to what a call changes. It matters for tools whose header says `confirm: true` alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Consent {
    /// Nobody was asked: nothing is changed.
    #[default]
    None,
    /// Somebody is going to be: the change is made, told, and taken back.
    Sought,
    /// Somebody has seen the change of this [fingerprint](super::Changed::fingerprint), and agrees to it.
    Given(String),
    /// Nobody need be asked: whoever runs the server, or calls at a terminal, answers for it.
    Waived,
}
