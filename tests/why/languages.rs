//! A query part by part, in the words of every language.

use super::{Graph, QUERY, TIME, shown};
use eruca_language::{language, languages};
use eruca_verbalize::why::{explained, why};

#[tokio::test]
async fn a_query_is_explained_part_by_part_in_every_language() {
    let graph = Graph::workshop().await;
    let query = graph.dataset.check(QUERY).unwrap();
    let mut all = Vec::new();
    for language in languages() {
        let parts = explained(&graph.dataset, &query, language);
        let lines: Vec<String> = parts.iter().map(|part| part.words.clone()).collect();
        all.push(format!("{}\n{}", language.tag(), lines.join("\n")));
    }
    insta::assert_snapshot!(all.join("\n\n"), @r#"
    de
    ?tool ist tool, auch von einer Unterart
    ?tool: maker ?maker und length (mm) ?text
    ?mm steht für length
    wo es bekannt ist: ?maker: nation ?nation
    entweder ?tool: price ?price oder von ?tool zu ?other über einmal oder öfter compatible tool
    nur wo gilt: ?mm × 2 > 100
    nur wo gilt: nation ≠ nowhere
    es darf nicht geben: ?tool: date of hiring ?day; nur wo gilt: Jahr von date of hiring < 2000
    je eine Zeile für maker
    ?tools ist: Anzahl (tool, ohne Doppelte)
    ?mean ist: Durchschnitt von ?mm
    nur wo gilt: Anzahl (tool) ≥ 1
    gezeigt wird: maker, Anzahl (tool) und Durchschnitt (length)
    geordnet nach Anzahl (tool), das Größte zuerst und maker, das Kleinste zuerst
    nur die ersten 3

    en
    ?tool is a tool, also of a kind of it
    ?tool: maker ?maker and length (mm) ?text
    ?mm stands for length
    where it is known: ?maker: nation ?nation
    either ?tool: price ?price or from ?tool to ?other by compatible tool once or more often
    only where ?mm × 2 > 100
    only where nation ≠ nowhere
    there must be none: ?tool: date of hiring ?day; only where year of date of hiring < 2000
    one row for each maker
    ?tools is the number of different tool
    ?mean is the average of ?mm
    only where number of tool ≥ 1
    shown: maker, count (tool) and average length
    in the order of count (tool), largest first and maker, smallest first
    only the first 3

    es
    ?tool es tool, también de una clase inferior
    ?tool: maker ?maker y length (mm) ?text
    ?mm representa length
    donde se conoce: ?maker: nation ?nation
    o bien ?tool: price ?price o de ?tool a ?other por compatible tool una o más veces
    solo donde ?mm × 2 > 100
    solo donde nation ≠ nowhere
    no debe haber: ?tool: date of hiring ?day; solo donde año de date of hiring < 2000
    una fila por cada maker
    ?tools es: cantidad (tool, sin repetidos)
    ?mean es: media de ?mm
    solo donde cantidad (tool) ≥ 1
    se muestra: maker, cantidad (tool) y media (length)
    por orden de cantidad (tool), lo mayor primero y maker, lo menor primero
    solo los primeros 3

    fr
    ?tool est tool, y compris d'une sous-classe
    ?tool : maker ?maker et length (mm) ?text
    ?mm désigne length
    là où c'est connu : ?maker : nation ?nation
    soit ?tool : price ?price ou de ?tool à ?other par compatible tool une ou plusieurs fois
    seulement où ?mm × 2 > 100
    seulement où nation ≠ nowhere
    il ne doit pas y avoir : ?tool : date of hiring ?day; seulement où année de date of hiring < 2000
    une ligne pour chaque maker
    ?tools est : nombre (tool, sans doublons)
    ?mean est : moyenne de ?mm
    seulement où nombre (tool) ≥ 1
    affiché : maker, nombre (tool) et moyenne (length)
    dans l'ordre de nombre (tool), le plus grand d'abord et maker, le plus petit d'abord
    seulement les 3 premiers

    it
    ?tool è tool, anche di una classe inferiore
    ?tool: maker ?maker e length (mm) ?text
    ?mm sta per length
    dove è noto: ?maker: nation ?nation
    o ?tool: price ?price o da ?tool a ?other per compatible tool una o più volte
    solo dove ?mm × 2 > 100
    solo dove nation ≠ nowhere
    non deve esserci: ?tool: date of hiring ?day; solo dove anno di date of hiring < 2000
    una riga per ogni maker
    ?tools è: numero (tool, senza ripetizioni)
    ?mean è: media di ?mm
    solo dove numero (tool) ≥ 1
    si mostra: maker, numero (tool) e media (length)
    in ordine di numero (tool), prima il maggiore e maker, prima il minore
    solo i primi 3

    nl
    ?tool is tool, ook van een klasse daaronder
    ?tool: maker ?maker en length (mm) ?text
    ?mm staat voor length
    waar bekend: ?maker: nation ?nation
    ofwel ?tool: price ?price of van ?tool naar ?other via compatible tool een of meer keren
    alleen waar ?mm × 2 > 100
    alleen waar nation ≠ nowhere
    er mag niet zijn: ?tool: date of hiring ?day; alleen waar jaar van date of hiring < 2000
    één rij per maker
    ?tools is: aantal (tool, zonder herhaling)
    ?mean is: gemiddelde van ?mm
    alleen waar aantal (tool) ≥ 1
    getoond wordt: maker, aantal (tool) en gemiddelde (length)
    op volgorde van aantal (tool), het grootste eerst en maker, het kleinste eerst
    alleen de eerste 3

    pt
    ?tool é tool, também de uma classe inferior
    ?tool: maker ?maker e length (mm) ?text
    ?mm representa length
    onde se conhece: ?maker: nation ?nation
    ou ?tool: price ?price ou de ?tool a ?other por compatible tool uma ou mais vezes
    só onde ?mm × 2 > 100
    só onde nation ≠ nowhere
    não pode haver: ?tool: date of hiring ?day; só onde ano de date of hiring < 2000
    uma linha por cada maker
    ?tools é: quantidade (tool, sem repetições)
    ?mean é: média de ?mm
    só onde quantidade (tool) ≥ 1
    mostra-se: maker, quantidade (tool) e média (length)
    por ordem de quantidade (tool), o maior primeiro e maker, o menor primeiro
    só os primeiros 3

    ru
    ?tool – класс: tool, включая его виды
    ?tool: maker ?maker и length (mm) ?text
    ?mm обозначает length
    если известно: ?maker: nation ?nation
    либо ?tool: price ?price или ?tool → ?other, путь: compatible tool один или несколько раз
    только если ?mm × 2 > 100
    только если nation ≠ nowhere
    не должно быть: ?tool: date of hiring ?day; только если год (date of hiring) < 2000
    по строке на каждое: maker
    ?tools – это количество различных (tool)
    ?mean – это среднее (?mm)
    только если количество (tool) ≥ 1
    показано: maker, количество (tool) и среднее (length)
    порядок: количество (tool), сначала большие и maker, сначала меньшие
    только первые строки: 3

    zh
    ?tool是tool或其子类
    ?tool：maker ?maker和length (mm) ?text
    ?mm表示length
    如果已知：?maker：nation ?nation
    以下之一：?tool：price ?price或从?tool经compatible tool一次或多次到?other
    仅限：?mm × 2 > 100
    仅限：nation ≠ nowhere
    不能有：?tool：date of hiring ?day; 仅限：date of hiring的年份 < 2000
    每个maker一行
    ?tools是不同的tool的数量
    ?mean是?mm的平均值
    仅限：tool的数量 ≥ 1
    显示：maker, 数量（tool）和length平均值
    按数量（tool），从大到小和maker，从小到大排序
    只取前3个
    "#);
    let parts = explained(&graph.dataset, &query, language("en").unwrap());
    let texts: Vec<&str> = parts.iter().map(|part| part.sparql.as_str()).collect();
    insta::assert_snapshot!(texts.join("\n"), @r#"
    ?tool rdf:type ?_1 . ?_1 (rdfs:subClassOf)* w:Tool .
    ?tool w:madeBy ?maker . ?tool w:length_mm ?text .
    BIND(xsd:decimal(?text) AS ?mm)
    OPTIONAL { ?maker w:homeNation ?nation . }
    { ?tool w:price ?price . } UNION { ?tool (w:fitsWith)+ ?other . }
    FILTER((?mm * 2) > 100)
    FILTER(?nation != w:nowhere)
    FILTER(NOT EXISTS { ?tool w:hired ?day . FILTER(YEAR(?day) < 2000) })
    GROUP BY ?maker
    (COUNT(DISTINCT ?tool) AS ?tools)
    (AVG(?mm) AS ?mean)
    HAVING(COUNT(?tool) >= 1)
    SELECT ?maker ?tools ?mean
    ORDER BY DESC(?tools) ASC(?maker)
    LIMIT 3
    "#);
    let (query, answer) = graph.run(QUERY).await;
    let why = why(&graph.dataset, &query, &answer, 0, TIME).await.unwrap();
    graph.check(QUERY, &why).await;
    insta::assert_snapshot!(shown(&why), @r#"
    This row is an answer because of 3 members that are counted or reckoned with and one condition that holds.
      number of different tool = "2": t1, t7 of Some(2) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 madeBy arbor; t1 length_mm "650"; mm = length (650 mm) = 650 mm; arbor homeNation France (optional); of 2 ways, number 2 holds: from Rip Saw to Bar Clamp by compatible tool once or more often; t1 … t7 by compatible tool once or more often: t1 fitsWith t7; mm × 2 (1300) > 100; nation (France) ≠ nowhere; looked for and not found: Rip Saw: date of hiring; year of date of hiring < 2000]
      average of mm = "833.333333333333333333": t1 "650", t1 "650", t7 "1200" of Some(3) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 madeBy arbor; t1 length_mm "650"; mm = length (650 mm) = 650 mm; arbor homeNation France (optional); of 2 ways, number 2 holds: from Rip Saw to Bar Clamp by compatible tool once or more often; t1 … t7 by compatible tool once or more often: t1 fitsWith t7; mm × 2 (1300) > 100; nation (France) ≠ nowhere; looked for and not found: Rip Saw: date of hiring; year of date of hiring < 2000]
      number of tool = "3": t1, t1, t7 of Some(3) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 madeBy arbor; t1 length_mm "650"; mm = length (650 mm) = 650 mm; arbor homeNation France (optional); of 2 ways, number 2 holds: from Rip Saw to Bar Clamp by compatible tool once or more often; t1 … t7 by compatible tool once or more often: t1 fitsWith t7; mm × 2 (1300) > 100; nation (France) ≠ nowhere; looked for and not found: Rip Saw: date of hiring; year of date of hiring < 2000]
      number of tool (3) ≥ 1
      number 1 by count (tool) = 2, largest first and maker = Arbor Works, smallest first
    "#);
}
