use crate::question::ParsedQuestion;

/// The words of a question in reading order, with `'s` for joining words of owners.
fn read(text: &str) -> String {
    let question = ParsedQuestion::read(text, &["en".to_owned()]);
    question.words.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ")
}

fn reads(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(text, wanted)| read(text) != *wanted)
        .map(|(text, wanted)| format!("{text}\n  wanted {wanted}\n  got    {}", read(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn conditions_stand_behind_their_noun_and_owners_before_what_they_own() {
    reads(&[
        ("出生在安江的演员有哪些？", "演员 的 出生 在 安 江 有 哪些"),
        ("人口超过100万的城市", "城市 的 人口 超过 100 万"),
        ("首都是安江的国家有哪些？", "国家 的 首都 是 安 江 有 哪些"),
        ("安江的人口是多少？", "安 江 's 人口 是 多少"),
        ("谁是安江的市长？", "谁 是 安 江 's 市长"),
        ("所有国家的首都", "首都 的 所有 国家"),
        // At the end it joins nothing.
        ("哪些电影是由林晓东导演的？", "哪些 电影 是 由 林 晓 东 导演"),
    ]);
}

#[test]
fn what_was_done_is_no_owner_of_a_thing() {
    reads(&[
        ("林晓东导演的电影", "电影 的 林 晓 东 导演"),
        ("林晓东导演的妻子", "林 晓 东 导演 's 妻子"),
        ("导演的妻子", "导演 's 妻子"),
    ]);
}

#[test]
fn adjectives_need_no_joining_word() {
    reads(&[
        ("最高的山是哪座？", "最高 山 是 哪座"),
        ("东原国最高的山", "东 原 国 's 最高 山"),
        ("海拔最高的山", "山 的 海拔 最高"),
        ("孩子最多的人", "人 的 最多 孩子"),
        ("哪个人的孩子最多？", "哪个 人 最多 孩子"),
        ("第二高的山", "第二 最高 山"),
    ]);
}

#[test]
fn what_is_compared_with_stands_behind_the_adjective() {
    reads(&[
        ("哪些山比天云山高？", "哪些 山 更 高 比 天 云 山"),
        ("白石峰比天云山高多少？", "多少 更 高 白 石 峰 比 天 云 山"),
        ("天云山有多高？", "天 云 山 多 高"),
    ]);
}

#[test]
fn yes_or_no_is_asked_at_the_beginning() {
    reads(&[
        ("林一鸣是演员吗？", "是 林 一 鸣 演员"),
        ("林一鸣是不是演员？", "是不是 林 一 鸣 演员"),
        ("林一鸣出生在安江吗？", "吗 林 一 鸣 出生 在 安 江"),
        ("有没有人口超过300万的城市？", "有没有 城市 的 人口 超过 300 万"),
        // There is no yes/no particle.
        ("林一鸣是哪里人？", "林 一 鸣 是 哪里 人"),
    ]);
}

#[test]
fn numbers_of_things_are_asked_for_at_the_beginning() {
    reads(&[
        ("林晓东执导的电影有几部？", "几部 电影 的 林 晓 东 执导"),
        ("林晓东导演过多少部电影？", "多少部 电影 林 晓 东 导演 过"),
        ("电影的数量", "数量 电影"),
        ("林晓东有多少个孩子？", "林 晓 东 有 多少个 孩子"),
    ]);
}

#[test]
fn bounds_stand_before_their_number() {
    reads(&[
        ("2000年以后上映的电影", "电影 的 以后 2000 年 上映"),
        ("人口在100万以上的城市", "城市 的 人口 在 以上 100 万"),
        ("2000年到2010年之间上映的电影", "电影 的 之间 2000 年 到 2010 年 上映"),
        ("以后上映的电影", "电影 的 以后 上映"),
    ]);
}

#[test]
fn names_and_quotations_stay_as_they_are() {
    reads(&[
        ("《风的电影》的导演是谁？", "风 的 电影 's 导演 是 谁"),
        ("约翰·福特的电影", "约 翰 福 特 's 电影"),
        ("Red Hill的导演是谁？", "red hill 's 导演 是 谁"),
    ]);
    let question = ParsedQuestion::read("《风的电影》的导演是谁？", &[]);
    assert_eq!(question.quotes.len(), 1);
    assert!(question.text.ends_with('?'), "{}", question.text);
}

#[test]
fn other_languages_stay_as_they_are() {
    reads(&[
        ("Who directed Red Hill?", "who directed red hill"),
        ("Who sang 北国の春?", "who sang 北 国 の 春"),
        ("タイタニックの監督は誰ですか", "タ イ タ ニ ッ ク の 监 督 は 谁 て す か"),
    ]);
}

proptest::proptest! {
    #[test]
    fn every_word_stays_within_the_text(text in "[的是有谁哪多少高山国电影导演出生于在比最更一1，？《》吗不A ]{0,40}") {
        let question = ParsedQuestion::read(&text, &[]);
        for word in &question.words {
            proptest::prop_assert!(question.text.get(word.bytes.0..word.bytes.1).is_some(), "{text}");
        }
    }
}
