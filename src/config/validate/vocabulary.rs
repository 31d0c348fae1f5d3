//! How a dataset's graph says what its things are.

use super::{Check, Checked, RawDataset};
use eruca_indexer::vocabulary::GivenVocabulary;

impl Check<'_> {
    pub(super) fn vocabulary(&self, at: &str, raw: &mut RawDataset) -> Checked<GivenVocabulary> {
        let [profile, kind, wider] =
            [&mut raw.vocabulary, &mut raw.type_property, &mut raw.subclass_property].map(std::mem::take);
        let known: Vec<&str> = GivenVocabulary::profiles().collect();
        if !matches!(profile.as_str(), "" | "auto") && !known.contains(&profile.as_str()) {
            return self.invalid(
                &format!("{at}.vocabulary"),
                format!("must be \"auto\" or one of: {}", known.join(", ")),
            );
        }
        for (key, iri) in [("type_property", &kind), ("subclass_property", &wider)] {
            if !iri.is_empty() {
                self.iris(&format!("{at}.{key}"), std::slice::from_ref(iri))?;
            }
        }
        let base = std::mem::take(&mut raw.wikibase_base);
        if !base.is_empty() && (!base.ends_with('/') || url::Url::parse(&base).is_err()) {
            return self.invalid(
                &format!("{at}.wikibase_base"),
                "must be what the IRIs of the Wikibase begin with, like \"https://wiki.example.org/\", with the slash at its end",
            );
        }
        let given = |text: String| Some(text).filter(|text| !text.is_empty() && text != "auto");
        Ok(GivenVocabulary {
            profile: given(profile),
            type_property: given(kind),
            subclass_property: given(wider),
            base: given(base),
        })
    }
}
