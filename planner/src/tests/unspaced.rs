//! Questions in a language without spaces, about graphs with names in it and one with English names.

use super::graph::Graph;

const STUDIO: &str = r#"
@prefix : <http://studio.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Film rdfs:label "电影"@zh . :Person rdfs:label "人物"@zh . :City rdfs:label "城市"@zh . :Mountain rdfs:label "山"@zh .
:director rdfs:label "导演"@zh . :birthDate rdfs:label "出生日期"@zh . :birthPlace rdfs:label "出生地"@zh . :child rdfs:label "子女"@zh .
:height rdfs:label "海拔"@zh . :population rdfs:label "人口"@zh . :year rdfs:label "上映年份"@zh . :in rdfs:label "所在城市"@zh .
:lin a :Person ; rdfs:label "林晓东"@zh ; :birthDate "1960-04-02"^^xsd:date ; :birthPlace :anjiang ; :child :yu , :ming .
:yu a :Person ; rdfs:label "于海燕"@zh ; :birthDate "1992-04-02"^^xsd:date ; :birthPlace :francis .
:ming a :Person ; rdfs:label "林一鸣"@zh ; :birthDate "1990-06-07"^^xsd:date ; :birthPlace :anjiang .
:red a :Film ; rdfs:label "紅高原"@zh-hant ; :director :lin ; :year 1999 .
:kite a :Film ; rdfs:label "蓝色的风筝"@zh ; :director :lin ; :year 2005 .
:tea a :Film ; rdfs:label "绿茶"@zh ; :director :ming ; :year 2011 .
:anjiang a :City ; rdfs:label "安江"@zh ; :population 2000000 .
:francis a :City ; rdfs:label "圣弗朗西斯科德马科里斯"@zh ; :population 500000 .
:m1 a :Mountain ; rdfs:label "天云山"@zh ; :height 3200 ; :in :anjiang .
:m2 a :Mountain ; rdfs:label "白石峰"@zh ; :height 4100 ; :in :francis .
:m3 a :Mountain ; rdfs:label "小石峰"@zh ; :height 1100 ; :in :anjiang .
"#;

const VALLEY: &str = r#"
@prefix : <http://valley.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:River rdfs:label "river"@en . :Town rdfs:label "town"@en . :Country rdfs:label "country"@en .
:length rdfs:label "length"@en . :mayor rdfs:label "mayor"@en . :country rdfs:label "country"@en . :capital rdfs:label "capital"@en .
:drosa a :River ; rdfs:label "Drosa"@en ; :length 120 . :melk a :River ; rdfs:label "Melk"@en ; :length 80 .
:arnau a :Town ; rdfs:label "Arnau"@en ; :mayor :eva ; :country :fr . :eva rdfs:label "Eva Lind"@en .
:fr a :Country ; rdfs:label "France"@en ; :capital :arnau .
"#;

#[test]
fn names_are_found_without_spaces_around_them() {
    Graph::of(STUDIO).answers(
        "zh",
        &[
            ("林晓东什么时候出生？", &["1960-04-02"]),
            ("圣弗朗西斯科德马科里斯的人口是多少？", &["500000"]),
            ("谁出生在圣弗朗西斯科德马科里斯？", &["yu"]),
            // With a word of the language inside, at the beginning, and in traditional characters.
            ("蓝色的风筝是谁导演的？", &["lin"]),
            ("于海燕的出生地是哪里？", &["francis"]),
            ("红高原的导演是谁？", &["lin"]),
            ("绿茶的導演是誰？", &["ming"]),
            ("《绿茶》的导演是谁？", &["ming"]),
        ],
    );
}

#[test]
fn questions_of_all_forms_are_read() {
    Graph::of(STUDIO).answers(
        "zh",
        &[
            ("林晓东导演了哪些电影？", &["kite", "red"]),
            ("哪些电影是由林晓东导演的？", &["kite", "red"]),
            ("林晓东导演的电影有几部？", &["2"]),
            ("林晓东有多少个孩子？", &["2"]),
            ("最高的山是哪座？", &["m2"]),
            ("第二高的山是哪座？", &["m1"]),
            ("天云山有多高？", &["3200"]),
            ("哪些山比天云山高？", &["m2"]),
            ("白石峰比天云山高多少？", &["900"]),
            ("人口超过100万的城市有哪些？", &["anjiang"]),
            ("2000年以后上映的电影", &["kite", "tea"]),
            ("1990年6月7日出生的人是谁？", &["ming"]),
            ("没有孩子的人物有哪些？", &["ming", "yu"]),
            ("孩子最多的人是谁？", &["lin"]),
            ("列出所有城市", &["anjiang", "francis"]),
        ],
    );
}

#[test]
fn yes_and_no_are_answered() {
    Graph::of(STUDIO).answers(
        "zh",
        &[
            ("林晓东是人物吗？", &["true"]),
            ("林一鸣是不是出生在安江？", &["true"]),
            ("天云山比白石峰高吗？", &["false"]),
            ("有没有人口超过300万的城市？", &["false"]),
        ],
    );
}

#[test]
fn names_in_english_are_reached_by_translations() {
    Graph::of(VALLEY).answers(
        "zh",
        &[
            ("Arnau的市长是谁？", &["eva"]),
            ("最长的河流是哪条？", &["drosa"]),
            ("法国的首都是哪里？", &["arnau"]),
            ("Drosa比Melk长吗？", &["true"]),
        ],
    );
}

#[test]
fn what_the_graph_does_not_know_is_not_sure() {
    let graph = Graph::of(STUDIO);
    for question in
        ["王小明的妻子是谁？", "天云河的海拔是多少？", "安江的市长是谁？", "太阳的后裔的导演是谁？"]
    {
        assert!(!graph.is_sure(question, "zh"), "{question}");
    }
    for question in ["林晓东什么时候出生？", "最高的山是哪座？", "林一鸣是不是出生在安江？"]
    {
        assert!(graph.is_sure(question, "zh"), "{question}");
    }
}
