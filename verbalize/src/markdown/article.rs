//! An article in Markdown: headings, lines with the numbers of their sources, and the list of sources. Pictures are links: a chat
//! that shows them would fetch them from anywhere.

use super::{address_of, line, link, text};
use eruca_api::{
    Article, ArticleLine, ArticlePicture, ArticleSection, ArticleSource, ArticleThing, ShownTerm, TermKind,
};
use eruca_language::{Language, fallback, language};
use eruca_sparql::one_line;

/// Maximum length of a query in the list of sources, in characters.
const MAX_QUERY: usize = 2_000;

/// The article.
pub fn article(article: &Article) -> String {
    let tongue = language(&article.lang).unwrap_or_else(fallback);
    let title = format!("## {}", text(&article.title));
    let lead: Vec<String> = article.lead.iter().map(told).collect();
    let mut blocks = vec![title, lead.join(" ")];
    for thing in &article.things {
        blocks.extend(of_thing(thing, &article.title, tongue));
    }
    if article.more_things > 0 && !article.things.is_empty() {
        blocks.push(left_out(article.more_things, tongue));
    }
    blocks.extend(article.sections.iter().map(|one| section(one, "###", tongue)));
    blocks.push(sources(article, tongue));
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n")
}

fn of_thing(thing: &ArticleThing, title: &str, tongue: &Language) -> Vec<String> {
    let is_title = thing.name == title;
    let mut blocks: Vec<String> =
        (!is_title).then(|| format!("### {}", text(&thing.name))).into_iter().collect();
    let more = (thing.more_pictures > 0).then(|| format!("- {}", left_out(thing.more_pictures, tongue)));
    let pictures: Vec<String> = thing.pictures.iter().map(picture).chain(more).collect();
    blocks.push(pictures.join("\n"));
    let level = if is_title { "###" } else { "####" };
    blocks.extend(thing.sections.iter().map(|one| section(one, level, tongue)));
    if thing.more > 0 {
        blocks.push(left_out(thing.more, tongue));
    }
    if thing.cut {
        blocks.push(text(&tongue.say("say", "cut", &[])));
    }
    blocks.extend(thing.improve.as_ref().and_then(|address| improve(address, tongue)));
    blocks
}

fn improve(address: &str, tongue: &Language) -> Option<String> {
    address_of(address).map(|address| link(&tongue.say("say", "improve", &[]), &address))
}

fn picture(picture: &ArticlePicture) -> String {
    let ArticlePicture { title, address, source } = picture;
    let title = one_line(title.trim(), super::MAX_CHARS);
    let shown = address_of(address).map_or_else(|| text(&title), |address| link(&title, &address));
    format!("- {shown} [{source}]")
}

fn section(section: &ArticleSection, level: &str, tongue: &Language) -> String {
    let lines = section.lines.iter().map(|line| format!("- {}", told(line)));
    let more = (section.more > 0).then(|| format!("- {}", left_out(section.more, tongue)));
    let lines: Vec<String> = lines.chain(more).collect();
    format!("{level} {}\n\n{}", text(&section.heading), lines.join("\n"))
}

fn told(one: &ArticleLine) -> String {
    let numbers: String = one.sources.iter().map(|number| format!(" [{number}]")).collect();
    let more = if one.more_sources > 0 { format!(" (+{})", one.more_sources) } else { String::new() };
    format!("{}{numbers}{more}", line(&one.parts))
}

fn left_out(count: usize, tongue: &Language) -> String {
    let count = count.to_string();
    let written = tongue.written_number(&count).unwrap_or(count);
    text(&tongue.say("say", "left_out", &[("n", &written)]))
}

fn sources(article: &Article, tongue: &Language) -> String {
    if article.sources.is_empty() {
        return String::new();
    }
    let lines = article.sources.iter().zip(1..).map(|(one, number): (_, usize)| {
        let shown = source(one, tongue);
        format!("{number}. {shown}")
    });
    let lines: Vec<String> = lines.collect();
    format!("### {}\n\n{}", text(&tongue.say("say", "sources", &[])), lines.join("\n"))
}

fn source(source: &ArticleSource, tongue: &Language) -> String {
    match source {
        ArticleSource::Triple { subject, property, value } => {
            [subject, property, value].map(term).join(" – ")
        }
        ArticleSource::Passage { passage } => {
            let quote = tongue.say("say", "quoted", &[("x", &text(&passage.quote))]).into_owned();
            let place = text(&passage.place());
            tongue.say("say", "detailed", &[("value", &quote), ("details", &place)]).into_owned()
        }
        ArticleSource::Query { query } => {
            let query = super::piece(&one_line(query.trim(), MAX_QUERY));
            format!("{} {query}", text(&tongue.say("say", "query_source", &[])))
        }
    }
}

/// A term by its name and IRI; an IRI that is no address of the web is told in words.
fn term(term: &ShownTerm) -> String {
    let name = term.label.as_deref().unwrap_or(&term.value);
    let name = one_line(name.trim(), super::MAX_CHARS);
    match (term.kind, &term.href) {
        (TermKind::Uri, Some(href)) => link(&name, href),
        (TermKind::Uri, None) if term.label.is_some() => format!("{} ({})", text(&name), text(&term.value)),
        (TermKind::Uri | TermKind::Literal | TermKind::Bnode, _) => super::paragraph(&name, super::MAX_CHARS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_api::{PartOfText, SectionKind};
    use proptest::prelude::*;

    fn line_of(name: &str) -> ArticleLine {
        let parts = vec![PartOfText::of_thing(name.to_owned(), format!("http://e.x/{name}"))];
        ArticleLine { parts, sources: vec![1], more_sources: 2 }
    }

    fn named(name: &str) -> Article {
        let iri = ShownTerm {
            kind: TermKind::Uri,
            value: "javascript:alert(1)".to_owned(),
            datatype: None,
            lang: None,
            label: Some(name.to_owned()),
            href: None,
        };
        let section = ArticleSection {
            kind: SectionKind::Identity,
            heading: name.to_owned(),
            lines: vec![line_of(name)],
            more: 1_234,
        };
        let picture =
            ArticlePicture { title: name.to_owned(), address: "javascript:alert(2)".to_owned(), source: 1 };
        let thing = ArticleThing {
            iri: "http://e.x/a".to_owned(),
            name: name.to_owned(),
            href: None,
            pictures: vec![picture],
            more_pictures: 5,
            sections: vec![section.clone()],
            more: 0,
            cut: true,
            improve: Some("javascript:alert(3)".to_owned()),
        };
        let (subject, property, value) = (iri.clone(), iri.clone(), iri);
        Article {
            title: "Title".to_owned(),
            lang: "en".to_owned(),
            lead: vec![line_of(name)],
            things: vec![thing],
            more_things: 4,
            sections: vec![section],
            sources: vec![ArticleSource::Triple { subject, property, value }],
        }
    }

    #[test]
    fn everything_has_its_place() {
        let name = r"Mill [x\](y) \# Big";
        let linked = format!("[{name}](http://e.x/Mill%20%5Bx%5D%28y%29%0A#%20Big) [1] (+2)");
        let told = format!("- {linked}\n- 1,234 more");
        let term = format!("{name} (javascript:alert(1))");
        let expected = [
            "## Title".to_owned(),
            linked,
            format!("### {name}"),
            format!("- {name} [1]\n- 5 more"),
            format!("#### {name}"),
            told.clone(),
            "The result is incomplete.".to_owned(),
            "4 more".to_owned(),
            format!("### {name}"),
            told,
            "### Sources".to_owned(),
            format!("1. {term} – {term} – {term}"),
        ];
        assert_eq!(article(&named("Mill [x](y)\n# Big")), expected.join("\n\n"));
    }

    proptest! {
        #[test]
        fn no_name_opens_a_block_a_link_or_an_image(name in "[!-~\\n\\x00 ]{0,400}") {
            let text = article(&named(&name));
            prop_assert!(!text.replace("\\]", "").contains("](javascript"), "{text}");
            let plain = article(&named("x"));
            prop_assert!(text.lines().count() <= plain.lines().count(), "{text}");
            for line in text.lines() {
                let begins = ["#", "-", "1. ", "[", "4 more", "The result"];
                prop_assert!(line.is_empty() || begins.iter().any(|begin| line.starts_with(begin)), "{line}");
                prop_assert!(line.chars().count() < 4_000);
            }
        }
    }
}
