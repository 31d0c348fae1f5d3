//! Keeps keys and passwords sent with requests out of messages: some servers repeat the request that they reject.

use secrecy::{ExposeSecret, SecretString};

/// Minimum length of a secret to remove, in bytes: shorter ones are placeholders such as `none`, and occur in messages by chance.
const MIN_BYTES: usize = 6;

/// Secrets to redact.
#[derive(Debug, Default)]
pub struct Secrets {
    secrets: Vec<SecretString>,
    /// The replacement text.
    instead: &'static str,
}

impl Secrets {
    /// Redacts these secrets, replacing them with `instead`.
    pub fn new(secrets: impl IntoIterator<Item = SecretString>, instead: &'static str) -> Self {
        let long = |secret: &SecretString| secret.expose_secret().len() >= MIN_BYTES;
        Self { secrets: secrets.into_iter().filter(long).collect(), instead }
    }

    /// A server message without the secrets. Call it before truncating: a truncated secret is not found.
    #[must_use]
    pub fn hidden_in(&self, words: &str) -> String {
        let secrets = self.secrets.iter().map(ExposeSecret::expose_secret);
        secrets.fold(words.to_owned(), |words, secret| words.replace(secret, self.instead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_secrets_are_hidden_and_placeholders_are_not() {
        let secrets = Secrets::new(["sk-123456".into(), "none".into(), "pass phrase".into()], "[secret]");
        assert_eq!(
            secrets.hidden_in("none of sk-123456 and (pass phrase) fits sk-123456"),
            "none of [secret] and ([secret]) fits [secret]"
        );
        assert!(!format!("{secrets:?}").contains("123456"));
    }
}
