//! Names that no graph has, made from syllables, and choices with a fixed seed.

const SYLLABLES: [&str; 12] =
    ["vo", "quel", "zim", "tra", "nub", "dox", "fri", "lun", "gax", "pev", "yor", "skim"];

/// A number that depends on a text alone (FNV-1a).
pub fn seed(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// One of some things, by the seed.
pub fn one_of<'a>(key: &str, all: &[&'a String]) -> Option<&'a String> {
    all.get((seed(key) >> 8) as usize % all.len().max(1)).copied()
}

/// A name with as many words and capitals as another.
pub fn name_like(name: &str, key: &str) -> String {
    let words = name.split_whitespace().enumerate().map(|(at, word)| {
        let mut number = seed(&format!("{key} {at}"));
        let mut new = String::new();
        for _ in 0..(word.chars().count() / 3).clamp(2, 4) {
            new += SYLLABLES.get((number >> 5) as usize % SYLLABLES.len()).copied().unwrap_or("vo");
            number = seed(&number.to_string());
        }
        match word.starts_with(char::is_uppercase) {
            true => new.get(..1).unwrap_or("").to_uppercase() + new.get(1..).unwrap_or(""),
            false => new,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A question with a name replaced where it stands as words of its own.
pub fn replaced(question: &str, name: &str, new: &str) -> Option<String> {
    let (lower, name) = (question.to_lowercase(), name.to_lowercase());
    if lower.len() != question.len() || name.chars().filter(|sign| sign.is_alphabetic()).count() < 3 {
        return None;
    }
    let start = lower.find(&name)?;
    let (before, after) = (question.get(..start)?, question.get(start + name.len()..)?);
    let is_apart = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
    is_apart.then(|| format!("{before}{new}{after}"))
}
