//! Invisible characters, and where they are legitimate: joiners in scripts that need them, and in emoji; emoji variation
//! selectors; ideographic variation selectors; the flags of England, Scotland and Wales.
//!
//! Mostly `Default_Ignorable_Code_Point` ([Unicode, 5.21](https://www.unicode.org/versions/latest/core-spec/chapter-5/)), plus
//! bidirectional marks, soft hyphens, and blank letters.

const ZERO_WIDTH_JOINER: char = '\u{200D}';
const EMOJI_STYLE: char = '\u{FE0F}';

/// Whether a character is invisible between these neighbours.
pub(super) fn is_hidden(before: Option<char>, c: char, after: Option<char>) -> bool {
    match c {
        '\u{20}'..='\u{AC}' => false,
        '\u{200C}' => !before.is_some_and(joins),
        ZERO_WIDTH_JOINER => !(before.is_some_and(joins) || joins_emoji(before, after)),
        '\u{FE0E}' | EMOJI_STYLE => !has_style(before, after),
        '\u{180B}'..='\u{180D}' | '\u{180F}' => !matches!(before, Some('\u{1820}'..='\u{18AA}')),
        // Variation selectors that fonts support for ideographs; no font uses the others.
        '\u{FE00}'..='\u{FE02}' | '\u{E0100}'..='\u{E010F}' => !before.is_some_and(is_ideograph),
        '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0D}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => false,
    }
}

/// Private-use characters and noncharacters, which have no generally known meaning.
pub(super) fn is_unassigned(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{F0000}'..='\u{10FFFF}')
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// The number of bytes of a flag written as a tag sequence at the start of a text.
pub(super) fn flag(text: &str) -> Option<usize> {
    let tags = text.strip_prefix('\u{1F3F4}')?;
    ["gbeng", "gbsct", "gbwls"].iter().find_map(|region| {
        let tag = |c: char| char::from_u32(0xE0000 + u32::from(c));
        let wanted: String = region.chars().filter_map(tag).chain(['\u{E007F}']).collect();
        tags.starts_with(&wanted).then(|| '\u{1F3F4}'.len_utf8() + wanted.len())
    })
}

/// Scripts whose words are written with joiners: Arabic to Myanmar, Khmer, Mongolian and related ones.
fn joins(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{109F}' | '\u{1780}'..='\u{17B3}' | '\u{17B6}'..='\u{17FF}' | '\u{1820}'..='\u{18AA}'
        | '\u{1900}'..='\u{1CFF}' | '\u{A800}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{10A00}'..='\u{11FFF}' | '\u{1E900}'..='\u{1E95F}')
}

fn joins_emoji(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(|c| is_emoji(c) || c == EMOJI_STYLE) && after.is_some_and(is_emoji)
}

fn has_style(before: Option<char>, after: Option<char>) -> bool {
    match before {
        // A keycap: a digit, a variation selector, and the enclosing keycap.
        Some('0'..='9' | '#' | '*') => after == Some('\u{20E3}'),
        Some(c) => is_emoji(c),
        None => false,
    }
}

/// The blocks of emoji, and of symbols with an emoji form.
fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21AA}'
        | '\u{231A}'..='\u{23FF}' | '\u{24C2}' | '\u{25AA}'..='\u{27BF}' | '\u{2934}' | '\u{2935}'
        | '\u{2B05}'..='\u{2B55}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}
