//! Detection of short questions, including related languages.

use super::*;

/// Questions of few words, one per language.
const SHORT_QUESTIONS: [(&str, &str); 8] = [
    (
        "ru",
        "Кто мэр Рима? | три самые длинные реки | реки длиннее 50 км | фильмы Spielberg | \
         столица Португалии | песни 1990 года | список товаров | заказы Peter Vogel",
    ),
    (
        "es",
        "¿Quién es el alcalde de Roma? | ríos más largos | ¿Dónde nació Dante? | \
         los tres países más grandes | museos de Sevilla | películas sin director | \
         número de clientes | ¿Cuándo murió Verdi? | lista de productos | \
         productos que cuestan más de 300 euros | capital de Portugal | ¿Qué es esto? | \
         canciones de 1990 | quien escribio esta novela | libros con más páginas",
    ),
    (
        "pt",
        "Quem é o presidente da câmara de Roma? | os três rios mais longos | rios mais longos | \
         Onde nasceu Dante? | os três maiores países | museus de Sevilha | \
         filmes sem realizador | número de clientes por cidade | Quando morreu Verdi? | \
         lista de produtos | produtos que custam mais de 300 euros | capital do Brasil | \
         canções de 1990 | Quantos habitantes tem Lisboa? | livros com mais páginas | \
         Que filmes há? | quem dirigiu Titanic | filmes de Spielberg | o que é isto | \
         Quais são os pacientes?",
    ),
    (
        "it",
        "Chi è il sindaco di Roma? | i tre fiumi più lunghi | fiumi più lunghi di 50 km | \
         Dove è nato Dante? | musei di Siviglia | film senza regista | numero di clienti | \
         Quando è morto Verdi? | elenco dei prodotti | prodotti che costano più di 300 euro | \
         capitale del Portogallo | canzoni del 1990 | quanti abitanti ha Roma | \
         libri con più pagine | Quali film ci sono? | chi ha diretto Titanic | \
         film di Spielberg | che cos'è questo | ordini di Mario Rossi | concerti dopo il 2020",
    ),
    (
        "fr",
        "Qui est le maire de Rome ? | les trois plus longs fleuves | Où est né Dante ? | \
         musées de Séville | films sans réalisateur | nombre de clients | \
         Quand est mort Verdi ? | liste des produits | produits qui coûtent plus de 300 euros | \
         capitale du Portugal | chansons de 1990 | rivières de plus de 50 km | \
         Combien d'habitants a Rome ? | livres avec le plus de pages | Quels films y a-t-il ? | \
         qui a réalisé Titanic | films de Spielberg avec Tom Hanks | concerts après 2020",
    ),
    (
        "nl",
        "Wie is de burgemeester van Rome? | de drie langste rivieren | \
         rivieren langer dan 50 km | Waar is Dante geboren? | musea in Sevilla | \
         films zonder regisseur | aantal klanten | Wanneer stierf Verdi? | lijst van producten | \
         producten van meer dan 300 euro | hoofdstad van Portugal | liedjes uit 1990 | \
         Hoeveel inwoners heeft Rome? | boeken met de meeste bladzijden | Welke films zijn er? | \
         wie regisseerde Titanic | concerten na 2020 | films of boeken van 1990 | Wat is dit? | \
         bestellingen van Piet de Vries",
    ),
    (
        "de",
        "Wer ist der Bürgermeister von Rom? | die drei längsten Flüsse | \
         Flüsse länger als 50 km | Wo wurde Dante geboren? | Museen in Sevilla | \
         Filme ohne Regisseur | Anzahl der Kunden | Wann starb Verdi? | Liste der Produkte | \
         Produkte über 300 Euro | Hauptstadt von Portugal | Lieder aus 1990 | \
         Bücher mit den meisten Seiten | Was ist das? | Konzerte nach 2020 | \
         Filme von Spielberg | Bestellungen von Peter Vogel",
    ),
    (
        "en",
        "Who is the mayor of Rome? | the three longest rivers | rivers longer than 50 km | \
         Where was Dante born? | museums in Seville | films without a director | \
         number of customers | When did Verdi die? | list of products | \
         products over 300 euros | capital of Portugal | songs from 1990 | \
         books or films of 1990 | What is this? | concerts after 2020 | films by Spielberg | \
         orders of Peter Vogel | museums in Arnau | concerts in Vienna | \
         films of Rita Fernandes | doctors in Zürich | most recent match | patients on insulin",
    ),
];

#[test]
fn short_questions_of_near_languages_are_told_apart() {
    let asked = |list: &'static str| list.split('|').map(str::trim);
    for (tag, question) in
        SHORT_QUESTIONS.iter().flat_map(|(tag, list)| asked(list).map(move |one| (*tag, one)))
    {
        assert_eq!(detect(question).map(Language::tag), Some(tag), "{question}");
    }
}
