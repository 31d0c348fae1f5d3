//! Conversations inside a message, as front ends put them into their own prompts: in the element `<chat_history>`, or line
//! by line with the role before each message.

/// The element that Open WebUI uses for a conversation.
const OPEN: &str = "<chat_history>";
const CLOSE: &str = "</chat_history>";
/// Role names that precede messages in a transcript; they are part of the protocols, not of a language.
const OF_USER: [&str; 2] = ["user", "human"];
const OF_MODEL: [&str; 2] = ["assistant", "ai"];

/// A conversation inside a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Transcript<'t> {
    /// The conversation.
    inner: &'t str,
    /// The text around it.
    pub(super) around: String,
}

impl<'t> Transcript<'t> {
    /// Finds a conversation in a text about it.
    pub(super) fn find(text: &'t str) -> Option<Self> {
        Self::element(text).or_else(|| Self::lines(text))
    }

    fn element(text: &'t str) -> Option<Self> {
        // The last one: a prompt may mention the element before using it.
        let (before, rest) = text.rsplit_once(OPEN)?;
        let (inner, after) = rest.split_once(CLOSE)?;
        Some(Self { inner, around: format!("{before}\n{after}") })
    }

    /// Lines with roles count only after other text: a question about users may begin with "user".
    fn lines(text: &'t str) -> Option<Self> {
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if at > 0 && role(line).is_some_and(|(role, _)| role == SpeakerRole::User) {
                let (before, inner) = text.split_at_checked(at)?;
                return (!before.trim().is_empty()).then(|| Self { inner, around: before.to_owned() });
            }
            at += line.len();
        }
        None
    }

    /// The user's first message; the whole conversation if it has no roles.
    pub(super) fn first_question(&self) -> String {
        self.questions().next().unwrap_or_else(|| self.without_roles())
    }

    /// The user's last message; the whole conversation if it has no roles.
    pub(super) fn last_question(&self) -> String {
        self.questions().last().unwrap_or_else(|| self.without_roles())
    }

    /// The whole text if no line has a role.
    fn without_roles(&self) -> String {
        let has_roles = self.inner.lines().any(|line| role(line).is_some());
        if has_roles { String::new() } else { self.inner.trim().to_owned() }
    }

    /// The user's messages.
    fn questions(&self) -> impl Iterator<Item = String> + use<'t> {
        let mut messages: Vec<(SpeakerRole, String)> = Vec::new();
        for line in self.inner.lines() {
            match (role(line), messages.last_mut()) {
                (Some((role, said)), _) => messages.push((role, said.to_owned())),
                (None, Some((_, said))) => {
                    said.push('\n');
                    said.push_str(line);
                }
                (None, None) => {}
            }
        }
        let of_user = messages.into_iter().filter(|(role, _)| *role == SpeakerRole::User);
        let bare = of_user.map(|(_, said)| said.trim().trim_matches('"').trim().to_owned());
        bare.filter(|said| !said.is_empty())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpeakerRole {
    User,
    Model,
}

/// The role at the start of a line, and the rest of the line.
fn role(line: &str) -> Option<(SpeakerRole, &str)> {
    let (name, said) = line.split_once(':')?;
    let name = name.trim();
    let is = |names: [&str; 2]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    let role = if is(OF_USER) {
        SpeakerRole::User
    } else if is(OF_MODEL) {
        SpeakerRole::Model
    } else {
        return None;
    };
    Some((role, said.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conversation_is_taken_apart() {
        let text = "Say <chat_history>.\n<chat_history>\nUSER: Who\nis it?\nASSISTANT: It is he: Bob.\n\nUSER: \"\"\"And she?\"\"\"\n</chat_history>\nEnd";
        let found = Transcript::find(text).unwrap();
        assert_eq!(found.first_question(), "Who\nis it?");
        assert_eq!(found.last_question(), "And she?");
        assert!(
            found.around.contains("Say") && found.around.ends_with("End") && !found.around.contains("Bob")
        );
        let plain = Transcript::find("Title!\n\nHuman: Who is it?\nAI: Bob").unwrap();
        assert_eq!((plain.first_question().as_str(), plain.around.trim()), ("Who is it?", "Title!"));
        let without = Transcript::find("x <chat_history> Who is it? </chat_history>").unwrap();
        assert_eq!(without.first_question(), "Who is it?");
    }

    #[test]
    fn questions_hold_none() {
        for text in [
            "Who is the user: Bob or Ann?",
            "User: who is it?",
            "\nUser: who is it?",
            "Which films\nwere made in 1990?",
            "What is <chat_history> for?",
            "",
        ] {
            assert_eq!(Transcript::find(text), None, "{text}");
        }
    }
}
