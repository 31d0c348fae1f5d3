//! What words mean in this conversation, as its user says: kept until it ends, and proposed to the owner of the graph on request.

use super::{NotDone, Talk};
use crate::cli::meaning::{NamedMeaning, resolved};
use crate::cli::text::one_line;
use eruca_api::{Clarify, ClarifyOption, Correction, Meant, MeantKind};
use eruca_knowledge::proposals::{ProposalStore, Source};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Words whose meanings are kept.
const MAX_MEANINGS: usize = 50;
/// Longest line, in characters.
const LINE_CHARS: usize = 300;

impl Talk<'_> {
    /// Lists what words mean, or lets words mean something.
    pub(super) async fn mean(&mut self, said: Option<(String, String)>) -> Result<String, NotDone> {
        let Some(said) = said else { return Ok(self.meanings.iter().map(line).collect()) };
        let looking = async { resolved(&self.service, &self.dataset, said).await.map_err(NotDone::Meaning) };
        let found = self.interrupts.or(looking).await?;
        let told = line(&found);
        self.meanings.retain(|known| !is_same(known, &found.correction.words));
        self.meanings.truncate(MAX_MEANINGS - 1);
        self.meanings.insert(0, found);
        Ok(told)
    }

    /// Remembers that one of several properties was chosen for a question.
    pub(super) fn remember_choice(&mut self, question: String, clarify: &Clarify, chosen: &ClarifyOption) {
        let others = clarify.options.iter().filter(|option| option.iri != chosen.iri);
        let over = others.map(|option| option.iri.clone()).collect();
        let (kind, iri) = (Some(MeantKind::Prefer), Some(chosen.iri.clone()));
        let meaning = Meant { kind, iri, over, ..Meant::default() };
        self.choice = Some((question, Correction { words: String::new(), meaning }));
    }

    /// Proposes to the owner of the graph what words mean here or, without words, what was chosen last by its number.
    pub(super) fn propose(&self, words: Option<&str>) -> Result<String, NotDone> {
        let (question, correction) = match words {
            Some(words) => self.meant(words)?,
            None => self.choice.clone().ok_or(NotDone::NothingChosen)?,
        };
        let wrong = |reason: &str| NotDone::Meaning(reason.to_owned());
        let folder = self.settings.proposals_folder();
        let folder = folder.ok_or_else(|| wrong("no proposals are taken: [feedback] proposals is false"))?;
        let dataset = self.service.one(&self.dataset)?;
        let at = OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default();
        let source = Source { dataset: dataset.id.clone(), question, at, ..Source::default() };
        let proposal = self.service.proposed_word(&dataset, source, &correction);
        let added = ProposalStore::new(folder).add(&proposal.map_err(NotDone::Meaning)?);
        added.map_err(|error| NotDone::Meaning(error.to_string()))?;
        Ok("proposed; the owner of the graph decides (`eruca learn`)\n".to_owned())
    }

    /// What words mean here, with the question before.
    fn meant(&self, words: &str) -> Result<(String, Correction), NotDone> {
        let known = self.meanings.iter().find(|known| is_same(known, words));
        let undefined = || NotDone::Meaning("say first what these words mean: :mean WORDS=TERM".to_owned());
        let question = self.last.as_ref().map(|last| last.asked.clone()).unwrap_or_default();
        Ok((question, known.ok_or_else(undefined)?.correction.clone()))
    }
}

fn is_same(known: &NamedMeaning, words: &str) -> bool {
    known.correction.words.to_lowercase() == words.to_lowercase()
}

fn line(known: &NamedMeaning) -> String {
    let iri = known.correction.meaning.iri.as_deref().unwrap_or_default();
    format!(
        "{}\n",
        one_line(&format!("\"{}\" means {} <{iri}>", known.correction.words, known.name), LINE_CHARS)
    )
}
