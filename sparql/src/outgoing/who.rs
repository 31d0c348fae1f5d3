//! Who is asking: the name that every request carries, and what servers say when they want a better one.

/// The `User-Agent` header in the form required by
/// [Wikimedia's policy](https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy): program,
/// version, and in parentheses the contact of the operator. The parentheses are omitted if there is no contact.
#[must_use]
pub fn user_agent(contact: &str) -> String {
    let program = concat!("eruca/", env!("CARGO_PKG_VERSION"));
    match contact.trim() {
        "" => program.to_owned(),
        contact => format!("{program} ({contact})"),
    }
}

/// The end of a message about a refusal that asks for the client's operator: what to do. Empty for other refusals.
///
/// Wikimedia's services name their policy for robots or for the User-Agent then, with status 403 or 429; others may do alike.
#[must_use]
pub fn how_to_say_who(refusal: &str) -> &'static str {
    let lower = refusal.to_lowercase();
    let policies = ["user-agent", "user agent", "robot policy", "robots policy", "robot_policy"];
    match policies.iter().any(|policy| lower.contains(policy)) {
        true => {
            "; set [outgoing] contact to an e-mail address or web page of yours, which is sent as User-Agent"
        }
        false => "",
    }
}
