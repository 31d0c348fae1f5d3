//! Keys and passwords that are sent with requests, and kept out of messages: some servers repeat the request that they refuse.

use secrecy::{ExposeSecret, SecretString};

/// Bytes of the shortest secret that is removed: shorter ones are placeholders such as `none`, and occur in messages by chance.
const MIN_BYTES: usize = 6;

/// What must not be repeated.
#[derive(Debug, Default)]
pub struct Secrets {
    secrets: Vec<SecretString>,
    /// What is shown in their place.
    instead: &'static str,
}

impl Secrets {
    /// These secrets, in whose place `instead` is shown.
    pub fn new(secrets: impl IntoIterator<Item = SecretString>, instead: &'static str) -> Self {
        let long = |secret: &SecretString| secret.expose_secret().len() >= MIN_BYTES;
        Self { secrets: secrets.into_iter().filter(long).collect(), instead }
    }

    /// Words of a server without them. Call it before words are cut: half a secret is not found.
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
