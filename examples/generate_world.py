"""Write the demo graph "world" as Turtle to standard output.

Usage: python3 examples/generate_world.py > examples/world.ttl

Each table below holds one row per thing, cells separated by "|", several
values in one cell by ";". Names are "English / German / Spanish"; a name
given once is the same in all three languages. An empty cell means "not
stated", either because it does not apply or because no figure is certain.
"""

import re
import sys
from urllib.parse import quote

ONTOLOGY = "https://eruca.dev/demo/ontology#"
RESOURCE = "https://eruca.dev/demo/resource/"

PREFIXES = {
    "demo": RESOURCE,
    "geo": ONTOLOGY,
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

HEADER = """\
# Eruca demo graph "world": countries, cities, rivers, mountains, lakes, people.
#
# Licence: CC0 1.0 (public domain dedication).
# Generated, do not edit by hand:
#   python3 examples/generate_world.py > examples/world.ttl
#
# Figures are rounded. Populations are census results or official estimates,
# mostly of 2020 to 2024; currencies are those of 2026. River lengths and
# elevations are plain strings on purpose, as in much real data.
"""

LANGUAGE_TAGS = ("en", "de", "es")

# class | names | superclass | comment
CLASSES = """
Place | place / Ort / lugar | | Anything that can be found on a map.
Continent | continent / Kontinent / continente | Place | A continent.
PopulatedPlace | populated place / bewohnter Ort / lugar habitado | Place | A place where people live.
Country | country / Land / país | PopulatedPlace | A sovereign state.
Settlement | settlement / Siedlung / asentamiento | PopulatedPlace | A city, town or village.
City | city / Stadt / ciudad | Settlement | A large settlement.
CapitalCity | capital city / Hauptstadt / ciudad capital | City | A city that is the capital, or one of the capitals, of a country.
GeographicFeature | geographic feature / geografisches Objekt / accidente geográfico | Place | A natural feature of the surface of the Earth.
BodyOfWater | body of water / Gewässer / masa de agua | GeographicFeature | Water, flowing or standing.
River | river / Fluss / río | BodyOfWater | A natural stream of water.
Lake | lake / See / lago | BodyOfWater | Standing water surrounded by land.
Sea | sea / Meer / mar | BodyOfWater | A sea, gulf, bay or channel that is a part of an ocean.
Ocean | ocean / Ozean / océano | BodyOfWater | One of the great oceans.
Landform | landform / Landform / forma de relieve | GeographicFeature | A shape of the land.
Mountain | mountain / Berg / montaña | Landform | A mountain or a peak.
Volcano | volcano / Vulkan / volcán | Mountain | A mountain of volcanic origin, active or extinct.
MountainRange | mountain range / Gebirge / cordillera | Landform | A chain of mountains.
Person | person / Person / persona | | A human being.
Mountaineer | mountaineer / Bergsteiger / montañero | Person | A person known for climbing mountains.
Ascent | ascent / Besteigung / ascensión | | A climb of a mountain to its summit, with its date and its climbers.
Language | language / Sprache / idioma | | A human language.
Currency | currency / Währung / moneda | | A unit of money in official use.
"""

# property | names | domain | range | comment
PROPERTIES = """
areaKm2 | area / Fläche / superficie | Place | xsd:decimal | Surface area, unit: square kilometres (km²).
ascentDate | ascent date / Datum der Besteigung / fecha de ascensión | Ascent | xsd:date | Day the summit was reached. Only stated if the day is known.
ascentYear | ascent year / Jahr der Besteigung / año de ascensión | Ascent | xsd:gYear | Year the summit was reached.
birthDate | birth date / Geburtsdatum / fecha de nacimiento | Person | xsd:date | Date of birth.
birthPlace | birth place / Geburtsort / lugar de nacimiento | Person | City | City of birth. Only stated if the city is in this graph.
borders | borders / grenzt an / limita con | Country | Country | Neighbouring country, by land or across a river or lake; stated in both directions. Overseas departments count, dependent territories do not.
capital | capital / Hauptstadt / capital | Country | CapitalCity | Capital of the country. Some countries have more than one.
climber | climber / Besteiger / escalador | Ascent | Person | Person who took part in the ascent. May list only the best known ones.
continent | continent / Kontinent / continente | Place | Continent | Continent the place lies on. Some countries lie on two.
currency | currency / Währung / moneda | Country | Currency | Currency in official use.
deathDate | death date / Todesdatum / fecha de muerte | Person | xsd:date | Date of death.
dischargeM3PerS | average discharge / mittlerer Abfluss / caudal medio | River | xsd:decimal | Average discharge near the mouth, unit: cubic metres per second (m³/s).
elevationM | elevation / Höhenlage / altitud | Place | xsd:string | Elevation of a city or of a lake's surface, unit: metres above sea level (m). A plain string: cast it before comparing.
firstAscent | first ascent / Erstbesteigung / primera ascensión | Mountain | Ascent | First recorded ascent, as a node with its date and climbers.
flowsThrough | flows through / fließt durch / pasa por | River | Country | Country the river flows through or along. Only countries in this graph.
foundedYear | founding year / Gründungsjahr / año de fundación | Settlement | xsd:gYear | Year of foundation or first mention.
heightM | height / Höhe / altura | Mountain | xsd:integer | Height of the summit, unit: metres above sea level (m).
highestPoint | highest point / höchster Punkt / punto más alto | Country | Mountain | Highest mountain of the country.
inCountry | located in country / liegt in / situado en | Place | Country | Country in which the city, mountain or lake lies. Only countries in this graph.
independenceDate | independence date / Datum der Unabhängigkeit / fecha de independencia | Country | xsd:date | Day of independence, declared or gained; of several days the best known one.
joinedEU | joined the EU / EU-Beitritt / ingreso en la UE | Country | xsd:date | Day the country joined the European Union or its predecessor. Only current members.
lastEruptionYear | last eruption / letzter Ausbruch / última erupción | Volcano | xsd:gYear | Year of the last eruption.
lengthKm | length / Länge / longitud | River | xsd:string | Length of the river, unit: kilometres (km). A plain string: cast it before comparing.
liesOnRiver | lies on river / liegt am Fluss / situada junto al río | City | River | River that flows through or past the city.
maxDepthM | maximum depth / größte Tiefe / profundidad máxima | Lake | xsd:decimal | Greatest depth, unit: metres (m).
mouth | mouth / Mündung / desembocadura | River | BodyOfWater | Body of water the river flows into: an ocean, a sea, a lake or another river.
namedAfter | named after / benannt nach / nombrado en honor a | Place | Person | Person the place is named after.
nationality | nationality / Staatsangehörigkeit / nacionalidad | Person | Country | Country the person is known as a national of.
officialLanguage | official language / Amtssprache / idioma oficial | Country | Language | Official or, where none is fixed by law, national language. Of many only the main ones.
partOfOcean | part of ocean / Teil des Ozeans / parte del océano | Sea | Ocean | Ocean the sea is a part of.
partOfRange | part of range / Teil des Gebirges / parte de la cordillera | Mountain | MountainRange | Mountain range the mountain is a part of.
population | population / Einwohnerzahl / población | PopulatedPlace | xsd:integer | Number of inhabitants, rounded. For cities: of the city or municipality, not of the metropolitan area.
sourceCountry | source country / Quellland / país de nacimiento | River | Country | Country in which the river rises.
tributaryOf | tributary of / Nebenfluss von / afluente de | River | River | River this river flows into.
"""

CONTINENTS = """
Africa / Afrika / África
Antarctica / Antarktika / Antártida
Asia / Asien / Asia
Europe / Europa / Europa
North America / Nordamerika / América del Norte
Oceania / Ozeanien / Oceanía
South America / Südamerika / América del Sur
"""

# ISO code | names | continents | capitals | population | area in km2
# | currency | official languages | independence | joined EU | other names
COUNTRIES = """
AR | Argentina / Argentinien / Argentina | South America | Buenos Aires | 46000000 | 2780000 | ARS | Spanish | 1816-07-09
AT | Austria / Österreich / Austria | Europe | Vienna | 9150000 | 83880 | EUR | German | | 1995-01-01
AU | Australia / Australien / Australia | Oceania | Canberra | 27000000 | 7688000 | AUD | English
BD | Bangladesh / Bangladesch / Bangladés | Asia | Dhaka | 171000000 | 148460 | BDT | Bengali | 1971-03-26
BE | Belgium / Belgien / Bélgica | Europe | Brussels | 11700000 | 30690 | EUR | Dutch; French; German | 1830-10-04 | 1958-01-01
BG | Bulgaria / Bulgarien / Bulgaria | Europe | Sofia | 6440000 | 111000 | EUR | Bulgarian | | 2007-01-01
BO | Bolivia / Bolivien / Bolivia | South America | La Paz; Sucre | 11300000 | 1099000 | BOB | Spanish; Quechua | 1825-08-06
BR | Brazil / Brasilien / Brasil | South America | Brasília | 203000000 | 8510000 | BRL | Portuguese | 1822-09-07
CA | Canada / Kanada / Canadá | North America | Ottawa | 40000000 | 9985000 | CAD | English; French
CD | Democratic Republic of the Congo / Demokratische Republik Kongo / República Democrática del Congo | Africa | Kinshasa | 105000000 | 2344900 | CDF | French | 1960-06-30 | | DR Congo; Congo-Kinshasa
CH | Switzerland / Schweiz / Suiza | Europe | Bern | 8960000 | 41290 | CHF | German; French; Italian; Romansh
CL | Chile | South America | Santiago | 18500000 | 756100 | CLP | Spanish | 1818-02-12
CN | China | Asia | Beijing | 1410000000 | 9597000 | CNY | Mandarin Chinese | | | People's Republic of China
CO | Colombia / Kolumbien / Colombia | South America | Bogotá | 52000000 | 1142000 | COP | Spanish | 1810-07-20
CY | Cyprus / Zypern / Chipre | Asia | Nicosia | 1300000 | 9250 | EUR | Greek; Turkish | 1960-08-16 | 2004-05-01
CZ | Czech Republic / Tschechien / República Checa | Europe | Prague | 10900000 | 78870 | CZK | Czech | 1993-01-01 | 2004-05-01 | Czechia
DE | Germany / Deutschland / Alemania | Europe | Berlin | 83500000 | 357600 | EUR | German | | 1958-01-01 | Federal Republic of Germany
DK | Denmark / Dänemark / Dinamarca | Europe | Copenhagen | 5950000 | 42950 | DKK | Danish | | 1973-01-01
EC | Ecuador | South America | Quito | 16900000 | 283600 | USD | Spanish
EE | Estonia / Estland / Estonia | Europe | Tallinn | 1370000 | 45340 | EUR | Estonian | 1918-02-24 | 2004-05-01
EG | Egypt / Ägypten / Egipto | Africa | Cairo | 105000000 | 1002000 | EGP | Arabic | 1922-02-28
ES | Spain / Spanien / España | Europe | Madrid | 48600000 | 506000 | EUR | Spanish | | 1986-01-01
ET | Ethiopia / Äthiopien / Etiopía | Africa | Addis Ababa | 126500000 | 1104300 | ETB | Amharic
FI | Finland / Finnland / Finlandia | Europe | Helsinki | 5600000 | 338400 | EUR | Finnish; Swedish | 1917-12-06 | 1995-01-01
FR | France / Frankreich / Francia | Europe | Paris | 68400000 | 643800 | EUR | French | | 1958-01-01 | French Republic
GB | United Kingdom / Vereinigtes Königreich / Reino Unido | Europe | London | 68300000 | 243600 | GBP | English | | | UK; Great Britain; Britain
GR | Greece / Griechenland / Grecia | Europe | Athens | 10400000 | 131960 | EUR | Greek | | 1981-01-01 | Hellas
HR | Croatia / Kroatien / Croacia | Europe | Zagreb | 3860000 | 56590 | EUR | Croatian | 1991-06-25 | 2013-07-01
HU | Hungary / Ungarn / Hungría | Europe | Budapest | 9590000 | 93030 | HUF | Hungarian | | 2004-05-01
ID | Indonesia / Indonesien / Indonesia | Asia | Jakarta | 280000000 | 1905000 | IDR | Indonesian | 1945-08-17
IE | Ireland / Irland / Irlanda | Europe | Dublin | 5380000 | 70270 | EUR | Irish; English | | 1973-01-01
IN | India / Indien / India | Asia | New Delhi | 1430000000 | 3287000 | INR | Hindi; English | 1947-08-15 | | Bharat
IR | Iran / Iran / Irán | Asia | Tehran | 90000000 | 1648000 | IRR | Persian | | | Persia
IS | Iceland / Island / Islandia | Europe | Reykjavik | 383000 | 103000 | ISK | Icelandic | 1944-06-17
IT | Italy / Italien / Italia | Europe | Rome | 58990000 | 302070 | EUR | Italian | | 1958-01-01
JP | Japan / Japan / Japón | Asia | Tokyo | 124000000 | 378000 | JPY | Japanese
KE | Kenya / Kenia / Kenia | Africa | Nairobi | 55000000 | 580400 | KES | Swahili; English | 1963-12-12
KH | Cambodia / Kambodscha / Camboya | Asia | Phnom Penh | 17000000 | 181040 | KHR | Khmer | 1953-11-09
KR | South Korea / Südkorea / Corea del Sur | Asia | Seoul | 51700000 | 100400 | KRW | Korean | | | Republic of Korea
KZ | Kazakhstan / Kasachstan / Kazajistán | Asia | Astana | 20000000 | 2724900 | KZT | Kazakh; Russian | 1991-12-16
LA | Laos | Asia | Vientiane | 7660000 | 236800 | LAK | Lao
LT | Lithuania / Litauen / Lituania | Europe | Vilnius | 2890000 | 65300 | EUR | Lithuanian | 1918-02-16 | 2004-05-01
LU | Luxembourg / Luxemburg / Luxemburgo | Europe | Luxembourg City | 672000 | 2586 | EUR | Luxembourgish; French; German | | 1958-01-01
LV | Latvia / Lettland / Letonia | Europe | Riga | 1870000 | 64590 | EUR | Latvian | 1918-11-18 | 2004-05-01
MD | Moldova / Moldau / Moldavia | Europe | Chișinău | | 33850 | MDL | Romanian | 1991-08-27
MM | Myanmar / Myanmar / Birmania | Asia | Naypyidaw | 54000000 | 676600 | MMK | Burmese | 1948-01-04 | | Burma
MT | Malta | Europe | Valletta | 563000 | 316 | EUR | Maltese; English | 1964-09-21 | 2004-05-01
MX | Mexico / Mexiko / México | North America | Mexico City | 130000000 | 1964000 | MXN | Spanish | 1810-09-16
NG | Nigeria | Africa | Abuja | 225000000 | 923800 | NGN | English | 1960-10-01
NL | Netherlands / Niederlande / Países Bajos | Europe | Amsterdam | 17900000 | 41850 | EUR | Dutch | | 1958-01-01 | Holland
NO | Norway / Norwegen / Noruega | Europe | Oslo | 5550000 | 385200 | NOK | Norwegian | 1905-06-07
NP | Nepal | Asia | Kathmandu | 29200000 | 147500 | NPR | Nepali
NZ | New Zealand / Neuseeland / Nueva Zelanda | Oceania | Wellington | 5220000 | 268000 | NZD | English; Māori | | | Aotearoa
PE | Peru / Peru / Perú | South America | Lima | 33700000 | 1285000 | PEN | Spanish; Quechua | 1821-07-28
PK | Pakistan / Pakistan / Pakistán | Asia | Islamabad | 241500000 | 796100 | PKR | Urdu; English | 1947-08-14
PL | Poland / Polen / Polonia | Europe | Warsaw | 37600000 | 312700 | PLN | Polish | 1918-11-11 | 2004-05-01
PT | Portugal | Europe | Lisbon | 10640000 | 92230 | EUR | Portuguese | | 1986-01-01
PY | Paraguay | South America | Asunción | 6110000 | 406800 | PYG | Spanish; Guarani
RO | Romania / Rumänien / Rumania | Europe | Bucharest | 19060000 | 238400 | RON | Romanian | | 2007-01-01
RS | Serbia / Serbien / Serbia | Europe | Belgrade | 6600000 | 77470 | RSD | Serbian
RU | Russia / Russland / Rusia | Europe; Asia | Moscow | 144000000 | 17098000 | RUB | Russian | | | Russian Federation
SD | Sudan / Sudan / Sudán | Africa | Khartoum | 49000000 | 1886000 | SDG | Arabic; English | 1956-01-01
SE | Sweden / Schweden / Suecia | Europe | Stockholm | 10570000 | 447400 | SEK | Swedish | | 1995-01-01
SI | Slovenia / Slowenien / Eslovenia | Europe | Ljubljana | 2120000 | 20270 | EUR | Slovene | 1991-06-25 | 2004-05-01
SK | Slovakia / Slowakei / Eslovaquia | Europe | Bratislava | 5420000 | 49040 | EUR | Slovak | 1993-01-01 | 2004-05-01
TH | Thailand / Thailand / Tailandia | Asia | Bangkok | 66000000 | 513100 | THB | Thai | | | Siam
TR | Turkey / Türkei / Turquía | Asia; Europe | Ankara | 85400000 | 783600 | TRY | Turkish | | | Türkiye
TZ | Tanzania / Tansania / Tanzania | Africa | Dodoma | 61700000 | 947300 | TZS | Swahili; English | 1961-12-09
UA | Ukraine / Ukraine / Ucrania | Europe | Kyiv | 38000000 | 603500 | UAH | Ukrainian | 1991-08-24
UG | Uganda | Africa | Kampala | 45900000 | 241000 | UGX | English; Swahili | 1962-10-09
US | United States / Vereinigte Staaten / Estados Unidos | North America | Washington, D.C. | 335000000 | 9834000 | USD | English | 1776-07-04 | | USA; United States of America; America
VE | Venezuela | South America | Caracas | 28300000 | 916400 | VES | Spanish | 1811-07-05
VN | Vietnam | Asia | Hanoi | 100300000 | 331300 | VND | Vietnamese | 1945-09-02
ZA | South Africa / Südafrika / Sudáfrica | Africa | Pretoria; Cape Town; Bloemfontein | 62000000 | 1221000 | ZAR | English; Afrikaans; Zulu; Xhosa
ZM | Zambia / Sambia / Zambia | Africa | Lusaka | 20000000 | 752600 | ZMW | English | 1964-10-24
"""

# ISO code : ISO codes of neighbours; each pair once
BORDERS = """
AR: BO BR CL PY
AT: CH CZ DE HU IT SI SK
BD: IN MM
BE: DE FR LU NL
BG: GR RO RS TR
BO: BR CL PE PY
BR: CO FR PE PY VE
CA: US
CD: TZ UG ZM
CH: DE FR IT
CL: PE
CN: IN KZ LA MM NP PK RU VN
CO: EC PE VE
CZ: DE PL SK
DE: DK FR LU NL PL
EC: PE
EE: LV RU
EG: SD
ES: FR PT
ET: KE SD
FI: NO RU SE
FR: IT LU
GB: IE
GR: TR
HR: HU RS SI
HU: RO RS SI SK UA
IN: MM NP PK
IR: PK TR
IT: SI
KE: TZ UG
KH: LA TH VN
KZ: RU
LA: MM TH VN
LT: LV PL RU
LV: RU
MD: RO UA
MM: TH
MX: US
NO: RU SE
PL: RU SK UA
RO: RS UA
RU: UA
SK: UA
TZ: UG ZM
"""

# ISO code | names
CURRENCIES = """
ARS | Argentine peso / Argentinischer Peso / peso argentino
AUD | Australian dollar / Australischer Dollar / dólar australiano
BDT | Bangladeshi taka / Taka / taka bangladesí
BOB | Bolivian boliviano / Boliviano / boliviano
BRL | Brazilian real / Brasilianischer Real / real brasileño
CAD | Canadian dollar / Kanadischer Dollar / dólar canadiense
CDF | Congolese franc / Kongo-Franc / franco congoleño
CHF | Swiss franc / Schweizer Franken / franco suizo
CLP | Chilean peso / Chilenischer Peso / peso chileno
CNY | Renminbi / Renminbi / renminbi
COP | Colombian peso / Kolumbianischer Peso / peso colombiano
CZK | Czech koruna / Tschechische Krone / corona checa
DKK | Danish krone / Dänische Krone / corona danesa
EGP | Egyptian pound / Ägyptisches Pfund / libra egipcia
ETB | Ethiopian birr / Birr / birr etíope
EUR | Euro / Euro / euro
GBP | Pound sterling / Pfund Sterling / libra esterlina
HUF | Hungarian forint / Forint / forinto húngaro
IDR | Indonesian rupiah / Indonesische Rupiah / rupia indonesia
INR | Indian rupee / Indische Rupie / rupia india
IRR | Iranian rial / Iranischer Rial / rial iraní
ISK | Icelandic króna / Isländische Krone / corona islandesa
JPY | Japanese yen / Yen / yen japonés
KES | Kenyan shilling / Kenia-Schilling / chelín keniano
KHR | Cambodian riel / Riel / riel camboyano
KRW | South Korean won / Südkoreanischer Won / won surcoreano
KZT | Kazakhstani tenge / Tenge / tenge kazajo
LAK | Lao kip / Kip / kip laosiano
MDL | Moldovan leu / Moldauischer Leu / leu moldavo
MMK | Myanmar kyat / Kyat / kyat birmano
MXN | Mexican peso / Mexikanischer Peso / peso mexicano
NGN | Nigerian naira / Naira / naira nigeriano
NOK | Norwegian krone / Norwegische Krone / corona noruega
NPR | Nepalese rupee / Nepalesische Rupie / rupia nepalí
NZD | New Zealand dollar / Neuseeland-Dollar / dólar neozelandés
PEN | Peruvian sol / Peruanischer Sol / sol peruano
PKR | Pakistani rupee / Pakistanische Rupie / rupia pakistaní
PLN | Polish złoty / Złoty / złoty polaco
PYG | Paraguayan guaraní / Guaraní / guaraní paraguayo
RON | Romanian leu / Rumänischer Leu / leu rumano
RSD | Serbian dinar / Serbischer Dinar / dinar serbio
RUB | Russian ruble / Russischer Rubel / rublo ruso
SDG | Sudanese pound / Sudanesisches Pfund / libra sudanesa
SEK | Swedish krona / Schwedische Krone / corona sueca
THB | Thai baht / Baht / baht tailandés
TRY | Turkish lira / Türkische Lira / lira turca
TZS | Tanzanian shilling / Tansania-Schilling / chelín tanzano
UAH | Ukrainian hryvnia / Hrywnja / grivna ucraniana
UGX | Ugandan shilling / Uganda-Schilling / chelín ugandés
USD | US dollar / US-Dollar / dólar estadounidense
VES | Venezuelan bolívar / Bolívar / bolívar venezolano
VND | Vietnamese đồng / Đồng / dong vietnamita
ZAR | South African rand / Südafrikanischer Rand / rand sudafricano
ZMW | Zambian kwacha / Sambischer Kwacha / kwacha zambiano
"""

LANGUAGES = """
Afrikaans / Afrikaans / afrikáans
Amharic / Amharisch / amárico
Arabic / Arabisch / árabe
Bengali / Bengalisch / bengalí
Bulgarian / Bulgarisch / búlgaro
Burmese / Birmanisch / birmano
Croatian / Kroatisch / croata
Czech / Tschechisch / checo
Danish / Dänisch / danés
Dutch / Niederländisch / neerlandés
English / Englisch / inglés
Estonian / Estnisch / estonio
Finnish / Finnisch / finés
French / Französisch / francés
German / Deutsch / alemán
Greek / Griechisch / griego
Guarani / Guaraní / guaraní
Hindi / Hindi / hindi
Hungarian / Ungarisch / húngaro
Icelandic / Isländisch / islandés
Indonesian / Indonesisch / indonesio
Irish / Irisch / irlandés
Italian / Italienisch / italiano
Japanese / Japanisch / japonés
Kazakh / Kasachisch / kazajo
Khmer / Khmer / jemer
Korean / Koreanisch / coreano
Lao / Laotisch / lao
Latvian / Lettisch / letón
Lithuanian / Litauisch / lituano
Luxembourgish / Luxemburgisch / luxemburgués
Maltese / Maltesisch / maltés
Mandarin Chinese / Hochchinesisch / chino mandarín
Māori / Māori / maorí
Nepali / Nepalesisch / nepalí
Norwegian / Norwegisch / noruego
Persian / Persisch / persa
Polish / Polnisch / polaco
Portuguese / Portugiesisch / portugués
Quechua / Quechua / quechua
Romanian / Rumänisch / rumano
Romansh / Rätoromanisch / romanche
Russian / Russisch / ruso
Serbian / Serbisch / serbio
Slovak / Slowakisch / eslovaco
Slovene / Slowenisch / esloveno
Spanish / Spanisch / español
Swahili / Swahili / suajili
Swedish / Schwedisch / sueco
Thai / Thailändisch / tailandés
Turkish / Türkisch / turco
Ukrainian / Ukrainisch / ucraniano
Urdu / Urdu / urdu
Vietnamese / Vietnamesisch / vietnamita
Xhosa / isiXhosa / xhosa
Zulu / isiZulu / zulú
"""

# names | country | population | elevation in m | founded | rivers
# | named after | other names
CITIES = """
Abuja / Abuja / Abuya | NG
Addis Ababa / Addis Abeba / Adís Abeba | ET | | 2355 | 1886
Amsterdam / Amsterdam / Ámsterdam | NL | 930000 | -2
Ankara | TR | 5800000 | 938
Astana / Astana / Astaná | KZ | 1430000 | 347
Asunción | PY | 462000 | | 1537 | Paraguay River
Athens / Athen / Atenas | GR | 643000
Auckland | NZ | 1480000 | | 1840
Bangkok | TH
Barcelona | ES | 1660000
Basel / Basel / Basilea | CH | 175000 | | | Rhine
Beijing / Peking / Pekín | CN | 21900000 | 44 | | | | Peking
Belgrade / Belgrad / Belgrado | RS | 1200000 | 117 | | Danube; Sava
Berlin / Berlin / Berlín | DE | 3700000 | 34 | 1237
Bern / Bern / Berna | CH | 134000 | 540 | 1191
Bloemfontein | ZA | 256000 | 1395 | 1846
Bogotá | CO | 7900000 | 2640 | 1538
Brasília / Brasília / Brasilia | BR | 2817000 | 1172 | 1960
Bratislava | SK | 476000 | 134 | | Danube
Brussels / Brüssel / Bruselas | BE | 1250000
Bucharest / Bukarest / Bucarest | RO | 1720000 | | 1459
Budapest | HU | 1690000 | | 1873 | Danube
Buenos Aires | AR | 3120000
Cairo / Kairo / El Cairo | EG | 10200000 | 23 | 969 | Nile
Canberra / Canberra / Camberra | AU | 473000 | 578 | 1913
Cape Town / Kapstadt / Ciudad del Cabo | ZA | 4770000 | | 1652
Caracas | VE | | 900 | 1567
Chicago | US | 2750000 | 181 | 1833
Chișinău | MD
Ciudad Bolívar | VE | | | 1764 | Orinoco | Simón Bolívar
Cologne / Köln / Colonia | DE | 1080000 | 37 | | Rhine
Copenhagen / Kopenhagen / Copenhague | DK | 660000
Cusco / Cusco / Cuzco | PE | 430000 | 3399
Dar es Salaam / Daressalam / Dar es-Salam | TZ | 5380000
Darwin | AU | 140000 | | 1869 | | Charles Darwin
Delhi | IN | 16800000 | 216 | | Yamuna
Denver | US | 716000 | 1609 | 1858
Dhaka / Dhaka / Daca | BD | 10300000
Dodoma | TZ | 765000 | 1120
Dublin / Dublin / Dublín | IE | 593000
Edinburgh / Edinburgh / Edimburgo | GB | 510000
El Alto | BO | 885000 | 4150
Geneva / Genf / Ginebra | CH | 205000 | 375 | | Rhône
Hamburg / Hamburg / Hamburgo | DE | 1850000 | 6 | | Elbe
Hanoi / Hanoi / Hanói | VN | 8500000 | | 1010
Helsinki | FI | 675000 | | 1550
Ho Chi Minh City / Ho-Chi-Minh-Stadt / Ciudad Ho Chi Minh | VN | 9000000 | | | | | Saigon
Houston | US | 2300000 | 15 | 1836 | | Sam Houston
Innsbruck | AT | 132000 | 574
Islamabad | PK | 1110000 | 540
Istanbul / Istanbul / Estambul | TR | 15660000 | | | | | Constantinople; Byzantium
Jakarta / Jakarta / Yakarta | ID | 10670000 | 8 | 1527
Johannesburg / Johannesburg / Johannesburgo | ZA | 4800000 | 1753 | 1886
Kampala | UG | | 1190
Karachi / Karatschi / Karachi | PK | 18870000
Kathmandu / Kathmandu / Katmandú | NP | 860000 | 1400
Khartoum / Khartum / Jartum | SD | | 382 | 1821 | Nile; Blue Nile
Kinshasa / Kinshasa / Kinsasa | CD | | 240 | 1881 | Congo River
Kyiv / Kiew / Kiev | UA | 2950000 | 179 | | Dnieper | | Kiev
La Paz | BO | 756000 | 3640 | 1548
Lhasa | CN | 868000 | 3656
Lima | PE | 10000000 | | 1535
Lisbon / Lissabon / Lisboa | PT | 546000 | | | Tagus
Livingstone | ZM | | | 1905 | Zambezi | David Livingstone
Ljubljana / Ljubljana / Liubliana | SI | 286000 | 295
London / London / Londres | GB | 8900000 | 11 | | Thames
Los Angeles / Los Angeles / Los Ángeles | US | 3900000 | | 1781
Lusaka | ZM | 2200000 | 1280
Luxembourg City / Luxemburg / Ciudad de Luxemburgo | LU | 134000 | | 963
Lyon | FR | 520000 | | | Rhône
Madrid | ES | 3400000 | 657
Manaus / Manaus / Manaos | BR | 2064000 | 92 | 1669
Marseille / Marseille / Marsella | FR | 877000
Melbourne | AU | 5200000 | 31 | 1835 | | Lord Melbourne
Mexico City / Mexiko-Stadt / Ciudad de México | MX | 9200000 | 2240 | 1325
Milan / Mailand / Milán | IT | 1370000 | 120
Montreal | CA | 1763000 | | 1642 | St. Lawrence River
Moscow / Moskau / Moscú | RU | 13000000 | 156 | 1147
Mumbai / Mumbai / Bombay | IN | 12480000 | 14 | | | | Bombay
Munich / München / Múnich | DE | 1500000 | 520 | 1158
Nairobi | KE | 4400000 | 1795 | 1899
Naypyidaw / Naypyidaw / Naipyidó | MM | | | 2005
New Delhi / Neu-Delhi / Nueva Delhi | IN | 250000 | 216 | 1911 | Yamuna
New Orleans / New Orleans / Nueva Orleans | US | 384000 | | 1718 | Mississippi River
New York City / New York / Nueva York | US | 8800000 | 10 | 1624 | | | NYC; New York
Nicosia / Nikosia / Nicosia | CY
Novosibirsk / Nowosibirsk / Novosibirsk | RU | 1630000 | | 1893 | Ob
Osaka | JP | 2750000
Oslo | NO | 717000
Ottawa | CA | 1017000
Paris / Paris / París | FR | 2100000 | 35 | | Seine
Phnom Penh / Phnom Penh / Nom Pen | KH | 2280000 | | | Mekong
Porto / Porto / Oporto | PT | 232000 | | | Douro
Prague / Prag / Praga | CZ | 1380000 | | | Vltava
Pretoria | ZA | 740000 | 1339 | 1855
Quebec City / Québec / Quebec | CA | 549000 | | 1608 | St. Lawrence River
Quito | EC | 1760000 | 2850 | 1534
Reykjavik / Reykjavík / Reikiavik | IS | 140000
Riga | LV | 605000 | | 1201
Rio de Janeiro / Rio de Janeiro / Río de Janeiro | BR | 6210000 | | 1565
Rome / Rom / Roma | IT | 2750000 | 21
Saint Petersburg / Sankt Petersburg / San Petersburgo | RU | 5600000 | 3 | 1703 | | | Leningrad
San Francisco | US | 874000 | | 1776
Santiago / Santiago de Chile / Santiago de Chile | CL | | 570 | 1541 | | | Santiago de Chile
Seoul / Seoul / Seúl | KR | 9390000
Shanghai / Shanghai / Shanghái | CN | 24870000 | 4
Sofia / Sofia / Sofía | BG | 1250000 | 550
Stockholm / Stockholm / Estocolmo | SE | 988000 | | 1252
Sucre | BO | | 2790
Sydney / Sydney / Sídney | AU | 5450000 | | 1788 | | Lord Sydney
São Paulo | BR | 11450000 | 760 | 1554 | | | Sao Paulo
Tallinn / Tallinn / Tallin | EE | 455000
Tehran / Teheran / Teherán | IR | 9000000 | 1200
Tokyo / Tokio / Tokio | JP | 14100000 | 40 | | | | Edo
Toronto | CA | 2794000 | 76
Valletta / Valletta / La Valeta | MT | 5200 | | 1566
Vancouver | CA | 662000 | | 1886
Venice / Venedig / Venecia | IT | 250000
Vienna / Wien / Viena | AT | 2010000 | 171 | | Danube
Vientiane / Vientiane / Vientián | LA | | 174 | | Mekong
Vilnius / Vilnius / Vilna | LT | 600000 | | 1323
Volgograd / Wolgograd / Volgogrado | RU | 1020000 | | 1589 | Volga | | Stalingrad
Warsaw / Warschau / Varsovia | PL | 1860000 | 113 | | Vistula
Washington, D.C. / Washington / Washington D. C. | US | 690000 | 7 | 1790 | | George Washington | Washington; Washington DC
Wellington | NZ | 215000 | | 1840 | | Duke of Wellington
Wuhan | CN | 12300000 | 37 | | Yangtze
Zagreb | HR | 767000 | | 1094 | Sava
Zurich / Zürich / Zúrich | CH | 440000 | 408
"""

OCEANS = """
Arctic Ocean / Arktischer Ozean / océano Ártico
Atlantic Ocean / Atlantischer Ozean / océano Atlántico
Indian Ocean / Indischer Ozean / océano Índico
Pacific Ocean / Pazifischer Ozean / océano Pacífico
"""

# names | ocean
SEAS = """
Adriatic Sea / Adria / mar Adriático | Atlantic Ocean
Arabian Sea / Arabisches Meer / mar Arábigo | Indian Ocean
Baltic Sea / Ostsee / mar Báltico | Atlantic Ocean
Bay of Bengal / Golf von Bengalen / golfo de Bengala | Indian Ocean
Bering Sea / Beringmeer / mar de Bering | Pacific Ocean
Black Sea / Schwarzes Meer / mar Negro | Atlantic Ocean
Bohai Sea / Bohai-Meer / mar de Bohai | Pacific Ocean
East China Sea / Ostchinesisches Meer / mar de China Oriental | Pacific Ocean
English Channel / Ärmelkanal / canal de la Mancha | Atlantic Ocean
Gulf of Mexico / Golf von Mexiko / golfo de México | Atlantic Ocean
Kara Sea / Karasee / mar de Kara | Arctic Ocean
Mediterranean Sea / Mittelmeer / mar Mediterráneo | Atlantic Ocean
North Sea / Nordsee / mar del Norte | Atlantic Ocean
South China Sea / Südchinesisches Meer / mar de China Meridional | Pacific Ocean
"""

# names | length in km | source country | mouth | flows through
# | tributary of (the mouth too) | discharge in m3/s | other names
RIVERS = """
Amazon River / Amazonas / río Amazonas | 6400 | PE | Atlantic Ocean | PE; CO; BR | | 209000 | Amazon
Blue Nile / Blauer Nil / Nilo Azul | 1450 | ET | | ET; SD | Nile
Congo River / Kongo / río Congo | 4700 | | Atlantic Ocean | CD | | 41000 | Zaire River
Danube / Donau / Danubio | 2850 | DE | Black Sea | DE; AT; SK; HU; HR; RS; RO; BG; MD; UA | | 6500
Dnieper / Dnepr / Dniéper | 2201 | RU | Black Sea | RU; UA | | | Dnipro River
Douro / Douro / Duero | 897 | ES | Atlantic Ocean | ES; PT
Ebro | 930 | ES | Mediterranean Sea | ES
Elbe / Elbe / Elba | 1094 | CZ | North Sea | CZ; DE
Ganges | 2525 | IN | Bay of Bengal | IN; BD | | | Ganga
Indus / Indus / Indo | 3180 | CN | Arabian Sea | CN; IN; PK
Irtysh / Irtysch / Irtish | 4248 | CN | | CN; KZ; RU | Ob
Loire / Loire / Loira | 1006 | FR | Atlantic Ocean | FR
Mekong | 4350 | CN | South China Sea | CN; MM; LA; TH; KH; VN | | 16000
Mississippi River / Mississippi / río Misisipi | 3766 | US | Gulf of Mexico | US | | 16800 | Mississippi
Missouri River / Missouri / río Misuri | 3767 | US | | US | Mississippi River | | Missouri
Moselle / Mosel / Mosela | 544 | FR | | FR; LU; DE | Rhine
Murray River / Murray / río Murray | 2508 | AU | | AU
Nile / Nil / Nilo | 6650 | | Mediterranean Sea | UG; SD; EG | | 2830
Ob / Ob / Obi | 3650 | RU | Kara Sea | RU | | 12500
Orinoco | 2140 | VE | Atlantic Ocean | VE; CO | | 37000
Paraguay River / Río Paraguay / río Paraguay | 2621 | BR | | BR; BO; PY; AR | Paraná River
Paraná River / Paraná / río Paraná | 4880 | BR | Atlantic Ocean | BR; PY; AR
Po | 652 | IT | Adriatic Sea | IT
Rhine / Rhein / Rin | 1230 | CH | North Sea | CH; AT; DE; FR; NL | | 2900
Rhône / Rhone / Ródano | 812 | CH | Mediterranean Sea | CH; FR
Rio Grande / Rio Grande / río Bravo | 3051 | US | Gulf of Mexico | US; MX
Sava / Save / Sava | 990 | SI | | SI; HR; RS | Danube
Seine / Seine / Sena | 775 | FR | English Channel | FR
St. Lawrence River / Sankt-Lorenz-Strom / río San Lorenzo | | | Atlantic Ocean | CA; US
Tagus / Tajo / Tajo | 1007 | ES | Atlantic Ocean | ES; PT
Thames / Themse / Támesis | 346 | GB | North Sea | GB
Vistula / Weichsel / Vístula | 1047 | PL | Baltic Sea | PL
Vltava / Moldau / Moldava | 430 | CZ | | CZ | Elbe
Volga / Wolga / Volga | 3530 | RU | Caspian Sea | RU | | 8060
Yamuna | 1376 | IN | | IN | Ganges
Yangtze / Jangtsekiang / Yangtsé | 6300 | CN | East China Sea | CN | | 30000 | Chang Jiang
Yellow River / Gelber Fluss / río Amarillo | 5464 | CN | Bohai Sea | CN | | | Huang He
Yenisei / Jenissei / Yeniséi | 3487 | RU | Kara Sea | RU | | 19600
Yukon River / Yukon / río Yukón | 3190 | CA | Bering Sea | CA; US
Zambezi / Sambesi / Zambeze | 2574 | ZM | Indian Ocean | ZM | | 3400
"""

# names | area in km2 | maximum depth in m | elevation in m | countries
# | named after | other names
LAKES = """
Caspian Sea / Kaspisches Meer / mar Caspio | 371000 | 1025 | -28 | RU; KZ; IR
Great Bear Lake / Großer Bärensee / Gran Lago del Oso | 31150 | 446 | 156 | CA
Lake Baikal / Baikalsee / lago Baikal | 31700 | 1642 | 456 | RU
Lake Balaton / Plattensee / lago Balatón | 592 | | 105 | HU
Lake Constance / Bodensee / lago de Constanza | 536 | 251 | 395 | DE; AT; CH
Lake Garda / Gardasee / lago de Garda | 370 | 346 | 65 | IT
Lake Geneva / Genfersee / lago Lemán | 580 | 310 | 372 | CH; FR | | Lac Léman
Lake Huron / Huronsee / lago Hurón | 59600 | 229 | 176 | CA; US
Lake Michigan / Michigansee / lago Míchigan | 58000 | 281 | 176 | US
Lake Superior / Oberer See / lago Superior | 82100 | 406 | 183 | CA; US
Lake Tanganyika / Tanganjikasee / lago Tanganica | 32900 | 1470 | 773 | CD; TZ; ZM
Lake Taupo / Lake Taupo / lago Taupo | 616 | 186 | 356 | NZ
Lake Titicaca / Titicacasee / lago Titicaca | 8370 | 281 | 3812 | BO; PE
Lake Van / Vansee / lago Van | 3755 | 451 | 1640 | TR
Lake Victoria / Victoriasee / lago Victoria | 68800 | 84 | 1135 | KE; TZ; UG | Queen Victoria | Victoria Nyanza
"""

RANGES = """
Alaska Range / Alaskakette / cordillera de Alaska
Alps / Alpen / Alpes
Andes / Anden / Andes
Cascade Range / Kaskadenkette / cordillera de las Cascadas
Caucasus / Kaukasus / Cáucaso
Great Dividing Range / Great Dividing Range / Gran Cordillera Divisoria
Himalayas / Himalaya / Himalaya
Karakoram / Karakorum / Karakórum
Saint Elias Mountains / Eliaskette / montes San Elías
Southern Alps / Neuseeländische Alpen / Alpes del Sur
"""

# names | kind: mountain (M) or volcano (V) | height in m | countries | range
# | highest point of | first ascent (date or year) | climbers
# | last eruption | named after | other names
MOUNTAINS = """
Aconcagua | M | 6961 | AR | Andes | AR | 1897-01-14 | Matthias Zurbriggen
Annapurna | M | 8091 | NP | Himalayas | | 1950-06-03 | Maurice Herzog; Louis Lachenal
Ben Nevis | M | 1345 | GB | | GB
Broad Peak | M | 8051 | PK; CN | Karakoram | | 1957-06-09 | Hermann Buhl; Kurt Diemberger; Marcus Schmuck
Chimborazo | V | 6263 | EC | Andes | EC | 1880-01-04 | Edward Whymper; Jean-Antoine Carrel
Cho Oyu | M | 8188 | NP; CN | Himalayas | | 1954-10-19 | Herbert Tichy
Denali | M | 6190 | US | Alaska Range | US | 1913-06-07 | Walter Harper; Hudson Stuck; Harry Karstens | | | Mount McKinley
Dhaulagiri | M | 8167 | NP | Himalayas | | 1960-05-13 | Kurt Diemberger
Dufourspitze | M | 4634 | CH | Alps | CH | 1855-08-01 | Charles Hudson | | | Monte Rosa
Eiger | M | 3967 | CH | Alps | | 1858-08-11 | Christian Almer
Gasherbrum I | M | 8080 | PK; CN | Karakoram | | 1958-07-05 | Pete Schoening | | | Hidden Peak
Gasherbrum II | M | 8035 | PK; CN | Karakoram | | 1956-07-07
Grossglockner / Großglockner / Großglockner | M | 3798 | AT | Alps | AT | 1800-07-28
Huascarán | M | 6768 | PE | Andes | PE | 1932-07-20
K2 | M | 8611 | PK; CN | Karakoram | PK | 1954-07-31 | Achille Compagnoni; Lino Lacedelli | | | Mount Godwin-Austen; Chogori
Kangchenjunga / Kangchendzönga / Kangchenjunga | M | 8586 | NP; IN | Himalayas | IN | 1955-05-25 | Joe Brown; George Band
Lhotse | M | 8516 | NP; CN | Himalayas | | 1956-05-18
Makalu | M | 8485 | NP; CN | Himalayas | | 1955-05-15 | Lionel Terray; Jean Couzy
Manaslu | M | 8163 | NP | Himalayas | | 1956-05-09 | Toshio Imanishi
Matterhorn / Matterhorn / Cervino | M | 4478 | CH; IT | Alps | | 1865-07-14 | Edward Whymper; Charles Hudson; Michel Croz | | | Monte Cervino
Mont Blanc | M | 4806 | FR; IT | Alps | FR; IT | 1786-08-08 | Jacques Balmat; Michel-Gabriel Paccard | | | Monte Bianco
Mount Ararat / Ararat / monte Ararat | V | 5137 | TR | | TR | 1829-10-09 | | 1840
Mount Cook / Mount Cook / monte Cook | M | 3724 | NZ | Southern Alps | NZ | 1894-12-25 | | | James Cook | Aoraki
Mount Elbrus / Elbrus / monte Elbrús | V | 5642 | RU | Caucasus | RU | 1874
Mount Erebus / Mount Erebus / monte Erebus | V | 3794 | | | | 1908-03-10 | Edgeworth David; Douglas Mawson
Mount Everest / Mount Everest / monte Everest | M | 8849 | NP; CN | Himalayas | NP; CN | 1953-05-29 | Edmund Hillary; Tenzing Norgay | | George Everest | Everest; Sagarmatha; Chomolungma
Mount Fuji / Fuji / monte Fuji | V | 3776 | JP | | JP | | | 1707 | | Fujiyama; Fujisan
Mount Kenya / Mount Kenya / monte Kenia | V | 5199 | KE | | KE | 1899-09-13 | Halford Mackinder
Mount Kilimanjaro / Kilimandscharo / Kilimanjaro | V | 5895 | TZ | | TZ | 1889-10-06 | Hans Meyer; Ludwig Purtscheller | | | Kilimanjaro; Kibo
Mount Kosciuszko / Mount Kosciuszko / monte Kosciuszko | M | 2228 | AU | Great Dividing Range | AU | 1840-03-12 | Paweł Edmund Strzelecki | | Tadeusz Kościuszko
Mount Logan / Mount Logan / monte Logan | M | 5959 | CA | Saint Elias Mountains | CA | 1925-06-23 | | | William Edmond Logan
Mount Olympus / Olymp / monte Olimpo | M | 2918 | GR | | GR | 1913-08-02
Mount Rainier / Mount Rainier / monte Rainier | V | 4392 | US | Cascade Range
Mount St. Helens / Mount St. Helens / monte Santa Helena | V | 2549 | US | Cascade Range | | 1853 | | 2008
Mount Stanley / Mount Stanley / monte Stanley | M | 5109 | UG; CD | | UG; CD | 1906-06-18 | Duke of the Abruzzi | | Henry Morton Stanley
Nanga Parbat | M | 8126 | PK | Himalayas | | 1953-07-03 | Hermann Buhl
Ojos del Salado | V | 6893 | AR; CL | Andes | CL | 1937-02-26
Pico Bolívar | M | 4978 | VE | Andes | VE | 1935-01-05 | | | Simón Bolívar
Pico de Orizaba | V | 5636 | MX | | MX | 1848 | | | | Citlaltépetl
Puncak Jaya | M | 4884 | ID | | ID | 1962-02-13 | Heinrich Harrer | | | Carstensz Pyramid
Shishapangma | M | 8027 | CN | Himalayas | | 1964-05-02
Teide | V | 3715 | ES | | ES | | | 1909
Vesuvius / Vesuv / Vesubio | V | 1281 | IT | | | | | 1944 | | Mount Vesuvius
Vinson Massif / Vinson-Massiv / macizo Vinson | M | 4892 | | | | 1966-12-18 | Pete Schoening | | Carl Vinson | Mount Vinson
Zugspitze | M | 2962 | DE; AT | Alps | DE | 1820-08-27
"""

# names | kind: mountaineer (M) or other person (P) | born | died
# | birth place | nationalities | other names
PEOPLE = """
Achille Compagnoni | M | 1914-09-26 | 2009-05-13 | | IT
Carl Vinson | P | 1883-11-18 | 1981-06-01 | | US
Charles Darwin | P | 1809-02-12 | 1882-04-19 | | GB
Charles Hudson | M | | 1865-07-14 | | GB
Christian Almer | M | 1826-03-29 | 1898-05-17 | | CH
Christopher Columbus / Christoph Kolumbus / Cristóbal Colón | P | | 1506-05-20
David Livingstone | P | 1813-03-19 | 1873-05-01 | | GB
Douglas Mawson | P | 1882-05-05 | 1958-10-14 | | AU
Duke of Wellington / Duke of Wellington / duque de Wellington | P | 1769-05-01 | 1852-09-14 | Dublin | GB | Arthur Wellesley
Duke of the Abruzzi / Herzog der Abruzzen / duque de los Abruzos | M | 1873-01-29 | 1933-03-18 | Madrid | IT | Luigi Amedeo of Savoy
Edgeworth David | P | 1858-01-28 | 1934-08-28 | | AU
Edmund Hillary | M | 1919-07-20 | 2008-01-11 | Auckland | NZ | Sir Edmund Hillary
Edward Whymper | M | 1840-04-27 | 1911-09-16 | London | GB
George Band | M | 1929-02-02 | 2011-08-26 | | GB
George Everest | P | 1790-07-04 | 1866-12-01 | | GB
George Washington | P | 1732-02-22 | 1799-12-14 | | US
Halford Mackinder | P | 1861-02-15 | 1947-03-06 | | GB
Hans Meyer | P | 1858-03-22 | 1929-07-05 | | DE
Harry Karstens | M | 1878-09-02 | | | US
Heinrich Harrer | M | 1912-07-06 | 2006-01-07 | | AT
Henry Morton Stanley | P | 1841-01-28 | 1904-05-10 | | GB
Herbert Tichy | M | 1912-06-01 | 1987-09-26 | Vienna | AT
Hermann Buhl | M | 1924-09-21 | 1957-06-27 | Innsbruck | AT
Hudson Stuck | M | | 1920-10-10 | London
Jacques Balmat | M
James Cook | P | 1728-11-07 | 1779-02-14 | | GB | Captain Cook
Jean Couzy | M | 1923-07-09 | 1958-11-02 | | FR
Jean-Antoine Carrel | M | | | | IT
Joe Brown | M | 1930-09-26 | 2020-04-15 | | GB
Kurt Diemberger | M | 1932-03-16 | | | AT
Lino Lacedelli | M | 1925-12-04 | 2009-11-20 | | IT
Lionel Terray | M | 1921-07-25 | 1965-09-19 | | FR
Lord Melbourne / Lord Melbourne / lord Melbourne | P | 1779-03-15 | 1848-11-24 | London | GB | William Lamb
Lord Sydney / Lord Sydney / lord Sydney | P | 1733-02-24 | 1800-06-30 | | GB | Thomas Townshend
Louis Lachenal | M | 1921-07-17 | 1955-11-25 | | FR
Ludwig Purtscheller | M | 1849-10-06 | 1900-03-03 | Innsbruck | AT
Marcus Schmuck | M | 1925-04-18 | 2005-08-21 | | AT
Matthias Zurbriggen | M | 1856-05-15 | 1917-06-21 | | CH
Maurice Herzog | M | 1919-01-15 | 2012-12-13 | Lyon | FR
Michel Croz | M | | 1865-07-14
Michel-Gabriel Paccard | M
Paweł Edmund Strzelecki | P | | 1873-10-06 | | PL
Pete Schoening | M | 1927-07-30 | 2004-09-22 | | US
Queen Victoria / Königin Victoria / reina Victoria | P | 1819-05-24 | 1901-01-22 | London | GB
Sam Houston | P | 1793-03-02 | 1863-07-26 | | US
Simón Bolívar | P | 1783-07-24 | 1830-12-17 | Caracas | VE
Tadeusz Kościuszko | P | 1746-02-04 | 1817-10-15 | | PL
Tenzing Norgay | M | | 1986-05-09 | | NP; IN | Sherpa Tenzing
Toshio Imanishi | M | | | | JP
Walter Harper | M | | 1918-10-25 | | US
William Edmond Logan | P | 1798-04-20 | 1875-06-22 | Montreal | CA
"""

# place | person
COUNTRY_NAMESAKES = """
BO | Simón Bolívar
CO | Christopher Columbus
"""

# place | continent, for places without a country
OFF_COUNTRY_CONTINENTS = """
Mount Erebus | Antarctica
Vinson Massif | Antarctica
"""


def parse(table, width=1):
    """Yield the rows of a table, each padded with empty cells to `width`."""
    for line in table.strip().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        yield cells + [""] * (width - len(cells))


def values(cell):
    """Return the values of a cell that may hold several."""
    return [value.strip() for value in cell.split(";") if value.strip()]


def names(cell):
    """Return the English, German and Spanish name of a name cell."""
    parts = [part.strip() for part in cell.split(" / ")]
    if len(parts) not in (1, len(LANGUAGE_TAGS)):
        raise ValueError(f"one name or three expected: {cell}")
    return parts if len(parts) > 1 else parts * len(LANGUAGE_TAGS)


def iri(prefix, local_name):
    """Return a prefixed name, or a full IRI if characters need an escape."""
    if re.fullmatch(r"\w[\w-]*", local_name, re.ASCII):
        return f"{prefix}:{local_name}"
    return f"<{PREFIXES[prefix]}{quote(local_name)}>"


def resource(english_name):
    """Return the IRI of the instance with this English name."""
    return iri("demo", english_name.replace(" ", "_"))


def text(value, tag=None):
    """Return a string literal, with a language tag if one is given."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"@{tag}' if tag else f'"{escaped}"'


def decimal(value):
    """Return an xsd:decimal literal."""
    return value if "." in value else f"{value}.0"


def date(value):
    """Return an xsd:date literal."""
    return f'"{value}"^^xsd:date'


def year(value):
    """Return an xsd:gYear literal, with at least four digits."""
    return f'"{int(value):04d}"^^xsd:gYear'


class Graph:
    """Triples grouped into titled sections and by subject."""

    def __init__(self):
        self.sections = {}
        self.subjects = {}
        self.objects = set()

    def describe(self, section, subject, rdf_type, name_cell="", other_names=""):
        """Start the description of a new subject."""
        if subject in self.subjects:
            raise ValueError(f"described twice: {subject}")
        self.subjects[subject] = {}
        self.sections.setdefault(section, []).append(subject)
        self.add(subject, "a", rdf_type)
        if name_cell:
            for tag, name in zip(LANGUAGE_TAGS, names(name_cell)):
                self.add(subject, "rdfs:label", text(name, tag))
        for name in values(other_names):
            self.add(subject, "skos:altLabel", text(name, "en"))

    def add(self, subject, predicate, *objects):
        """Add one triple per object to a subject already described."""
        for value in objects:
            self.subjects[subject].setdefault(predicate, set()).add(value)
            self.objects.add(value)

    def add_if(self, subject, predicate, make_literal, cell):
        """Add a literal unless the cell is empty."""
        if cell:
            self.add(subject, predicate, make_literal(cell))

    def check_references(self):
        """Raise an error if an instance is referred to but not described."""
        internal = ("demo:", f"<{RESOURCE}")
        missing = [
            value
            for value in self.objects
            if value.startswith(internal) and value not in self.subjects
        ]
        if missing:
            raise ValueError(f"not described: {sorted(missing)}")

    def to_turtle(self):
        """Return the graph as Turtle."""
        lines = [HEADER]
        for prefix, namespace in sorted(PREFIXES.items()):
            lines.append(f"@prefix {prefix}: <{namespace}> .")
        for section, subjects in self.sections.items():
            lines += ["", f"# {section}"]
            for subject in sorted(subjects):
                lines += ["", self.block(subject)]
        return "\n".join(lines) + "\n"

    def block(self, subject):
        """Return all triples of one subject as Turtle."""
        first = ["a", "rdfs:label", "skos:altLabel"]
        description = self.subjects[subject]
        order = [predicate for predicate in first if predicate in description]
        order += sorted(set(description) - set(first))
        statements = [
            f"{predicate} {', '.join(sorted(description[predicate]))}"
            for predicate in order
        ]
        return f"{subject} " + " ;\n    ".join(statements) + " ."


def add_ontology(graph):
    ontology = f"<{ONTOLOGY.rstrip('#')}>"
    graph.describe(
        "Ontology",
        ontology,
        "owl:Ontology",
        "World demo ontology / Ontologie der Weltdemo / Ontología de la demo mundial",
    )
    for name, labels, superclass, comment in parse(CLASSES):
        subject = iri("geo", name)
        graph.describe("Classes", subject, "owl:Class", labels)
        graph.add(subject, "rdfs:comment", text(comment, "en"))
        if superclass:
            graph.add(subject, "rdfs:subClassOf", iri("geo", superclass))
    for name, labels, domain, value_range, comment in parse(PROPERTIES):
        is_literal = value_range.startswith("xsd:")
        kind = "owl:DatatypeProperty" if is_literal else "owl:ObjectProperty"
        subject = iri("geo", name)
        graph.describe("Properties", subject, kind, labels)
        graph.add(subject, "rdfs:comment", text(comment, "en"))
        graph.add(subject, "rdfs:domain", iri("geo", domain))
        graph.add(
            subject,
            "rdfs:range",
            value_range if is_literal else iri("geo", value_range),
        )


def add_simple(graph, section, rdf_type, table):
    for (labels,) in parse(table):
        graph.describe(section, resource(names(labels)[0]), rdf_type, labels)


def add_languages(graph):
    for (labels,) in parse(LANGUAGES):
        graph.describe("Languages", language(names(labels)[0]), "geo:Language", labels)


def language(english_name):
    return resource(f"{english_name} language")


def add_currencies(graph):
    currencies = {}
    for code, labels in parse(CURRENCIES):
        currencies[code] = resource(names(labels)[0])
        graph.describe("Currencies", currencies[code], "geo:Currency", labels)
    return currencies


def add_countries(graph, countries, currencies):
    for row in parse(COUNTRIES, 11):
        code, labels, continents, capitals, population, area = row[:6]
        currency, languages, independence, joined_eu, other_names = row[6:]
        subject = countries[code]
        graph.describe("Countries", subject, "geo:Country", labels, other_names)
        graph.add(subject, "geo:continent", *map(resource, values(continents)))
        graph.add(subject, "geo:capital", *map(resource, values(capitals)))
        graph.add(subject, "geo:currency", currencies[currency])
        graph.add(subject, "geo:officialLanguage", *map(language, values(languages)))
        graph.add_if(subject, "geo:population", str, population)
        graph.add_if(subject, "geo:areaKm2", decimal, area)
        graph.add_if(subject, "geo:independenceDate", date, independence)
        graph.add_if(subject, "geo:joinedEU", date, joined_eu)
    for line in BORDERS.strip().splitlines():
        code, neighbours = line.split(":")
        for neighbour in neighbours.split():
            graph.add(countries[code], "geo:borders", countries[neighbour])
            graph.add(countries[neighbour], "geo:borders", countries[code])
    for code, person in parse(COUNTRY_NAMESAKES):
        graph.add(countries[code], "geo:namedAfter", resource(person))


def add_cities(graph, countries):
    capitals = {capital for row in parse(COUNTRIES, 11) for capital in values(row[3])}
    for row in parse(CITIES, 8):
        labels, country, population, elevation = row[:4]
        founded, rivers, namesake, other_names = row[4:]
        name = names(labels)[0]
        rdf_type = "geo:CapitalCity" if name in capitals else "geo:City"
        subject = resource(name)
        graph.describe("Cities", subject, rdf_type, labels, other_names)
        graph.add(subject, "geo:inCountry", countries[country])
        graph.add(subject, "geo:liesOnRiver", *map(resource, values(rivers)))
        graph.add_if(subject, "geo:population", str, population)
        graph.add_if(subject, "geo:elevationM", text, elevation)
        graph.add_if(subject, "geo:foundedYear", year, founded)
        graph.add_if(subject, "geo:namedAfter", resource, namesake)


def add_waters(graph, countries):
    add_simple(graph, "Oceans", "geo:Ocean", OCEANS)
    for labels, ocean in parse(SEAS):
        subject = resource(names(labels)[0])
        graph.describe("Seas", subject, "geo:Sea", labels)
        graph.add(subject, "geo:partOfOcean", resource(ocean))
    for row in parse(RIVERS, 8):
        labels, length, source, mouth = row[:4]
        through, main_river, discharge, other_names = row[4:]
        subject = resource(names(labels)[0])
        graph.describe("Rivers", subject, "geo:River", labels, other_names)
        for code in values(through):
            graph.add(subject, "geo:flowsThrough", countries[code])
        graph.add_if(subject, "geo:sourceCountry", countries.get, source)
        graph.add_if(subject, "geo:mouth", resource, mouth or main_river)
        graph.add_if(subject, "geo:tributaryOf", resource, main_river)
        graph.add_if(subject, "geo:lengthKm", text, length)
        graph.add_if(subject, "geo:dischargeM3PerS", decimal, discharge)
    for row in parse(LAKES, 7):
        labels, area, depth, elevation, located_in, namesake, other_names = row
        subject = resource(names(labels)[0])
        graph.describe("Lakes", subject, "geo:Lake", labels, other_names)
        for code in values(located_in):
            graph.add(subject, "geo:inCountry", countries[code])
        graph.add_if(subject, "geo:areaKm2", decimal, area)
        graph.add_if(subject, "geo:maxDepthM", decimal, depth)
        graph.add_if(subject, "geo:elevationM", text, elevation)
        graph.add_if(subject, "geo:namedAfter", resource, namesake)


def add_mountains(graph, countries):
    add_simple(graph, "Mountain ranges", "geo:MountainRange", RANGES)
    for row in parse(MOUNTAINS, 11):
        labels, kind, height, located_in, mountain_range, highest_of = row[:6]
        ascent, climbers, eruption, namesake, other_names = row[6:]
        rdf_type = "geo:Volcano" if kind == "V" else "geo:Mountain"
        subject = resource(names(labels)[0])
        graph.describe("Mountains", subject, rdf_type, labels, other_names)
        graph.add(subject, "geo:heightM", height)
        for code in values(located_in):
            graph.add(subject, "geo:inCountry", countries[code])
        for code in values(highest_of):
            graph.add(countries[code], "geo:highestPoint", subject)
        graph.add_if(subject, "geo:partOfRange", resource, mountain_range)
        graph.add_if(subject, "geo:lastEruptionYear", year, eruption)
        graph.add_if(subject, "geo:namedAfter", resource, namesake)
        if ascent:
            node = add_first_ascent(graph, names(labels)[0], ascent, climbers)
            graph.add(subject, "geo:firstAscent", node)
    for mountain, continent in parse(OFF_COUNTRY_CONTINENTS):
        graph.add(resource(mountain), "geo:continent", resource(continent))


def add_first_ascent(graph, mountain, ascent, climbers):
    node = resource(f"First ascent of {mountain}")
    graph.describe("First ascents", node, "geo:Ascent")
    graph.add(node, "rdfs:label", text(f"first ascent of {mountain}", "en"))
    graph.add(node, "geo:ascentYear", year(ascent[:4]))
    graph.add(node, "geo:climber", *map(resource, values(climbers)))
    if "-" in ascent:
        graph.add(node, "geo:ascentDate", date(ascent))
    return node


def add_people(graph, countries):
    for row in parse(PEOPLE, 7):
        labels, kind, born, died, birth_place, nationalities, other_names = row
        rdf_type = "geo:Mountaineer" if kind == "M" else "geo:Person"
        subject = resource(names(labels)[0])
        graph.describe("People", subject, rdf_type, labels, other_names)
        graph.add_if(subject, "geo:birthDate", date, born)
        graph.add_if(subject, "geo:deathDate", date, died)
        graph.add_if(subject, "geo:birthPlace", resource, birth_place)
        for code in values(nationalities):
            graph.add(subject, "geo:nationality", countries[code])


def build():
    countries = {row[0]: resource(names(row[1])[0]) for row in parse(COUNTRIES, 11)}
    graph = Graph()
    add_ontology(graph)
    add_simple(graph, "Continents", "geo:Continent", CONTINENTS)
    currencies = add_currencies(graph)
    add_languages(graph)
    add_countries(graph, countries, currencies)
    add_cities(graph, countries)
    add_waters(graph, countries)
    add_mountains(graph, countries)
    add_people(graph, countries)
    graph.check_references()
    return graph


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(build().to_turtle())
