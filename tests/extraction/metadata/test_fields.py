"""Title, byline, date and the other fields: where each is read from, and what is preferred."""

import pytest

from webtool.extraction.metadata import fields
from webtool.extraction.page import cutting, head
from webtool.html import parse_html


def read(source, address=""):
    root = parse_html(source)
    return fields.read(head.read(root), cutting.cut(root), address)


LD = '<script type="application/ld+json">{}</script>'.format

TITLES = [
    (
        "<title>\u8336_\u6d77\u6e7e\u65e5\u62a5</title><meta property=og:site_name content=\u6d77\u6e7e\u65e5\u62a5>",
        "\u8336",
    ),
    (
        "<title>\u8336-\u6d77\u6e7e\u65e5\u62a5</title><meta property=og:site_name content=\u6d77\u6e7e\u65e5\u62a5>",
        "\u8336",
    ),
    ("<title>my_module</title><meta property=og:site_name content=module>", "my_module"),
    ("<title>Кафе-Мини</title><meta property=og:site_name content=Мини>", "Кафе-Мини"),
    ("<title>お茶の話｜潮新聞</title><meta property=og:site_name content=潮新聞>", "お茶の話"),
    ("<title>Our new E-Paper</title><meta property=og:site_name content=Paper>", "Our new E-Paper"),
    ("<title>\u304a\u8336\u306e\u8a71\uff5c\u6f6e\u65b0\u805e</title>", "\u304a\u8336\u306e\u8a71"),
    ("<title>Untitled Document</title><h1>A long walk</h1>", "A long walk"),
    ("<title>A long walk home | The Site</title><h1>A long walk home</h1>", "A long walk home"),
    ("<title>A long walk home | The Site</title><h1>The Site</h1>", "A long walk home"),
    ("<title>The Site: A walk</title><meta property=og:site_name content='The Site'>", "A walk"),
    ("<meta property=og:title content='From the meta'><title>Other</title>", "From the meta"),
    (LD('{"@type":"NewsArticle","headline":"From data"}'), "From data"),
    ("<title>Only title</title>", "Only title"),
    ("<h1>Only heading</h1>", "Only heading"),
    ("<title>Green tea | Black and white | The Site</title><h1>Welcome to our shop</h1>", "Green tea"),
    ("<title>Our loans at low rates</title><h1>Loans you will love</h1>", "Our loans at low rates"),
    (
        "<meta property=og:type content=article><title>Loans at low rates</title><h1>Loans you will love</h1>",
        "Loans you will love",
    ),
    ("<title>C|C++ compilers</title>", "C|C++ compilers"),
    ("<title>Tea - Learn to brew it at home | The Site</title><h1>Tea</h1>", "Tea"),
    ("<title>Other</title><meta property=og:title content='Tea: all about it'><h1>Tea</h1>", "Tea"),
    ("<title>A long walk home</title><h1>A long<br>walk home</h1>", "A long walk home"),
    ("<svg><title>Icon</title></svg><h2>Second level</h2>", "Second level"),
    ("<p>nothing", ""),
    ("<meta property=og:title content='Salt &amp;amp; pepper'>", "Salt & pepper"),
    # a heading that leads to where the site begins is its name
    ("<title>On lists \u00ab A Small Blog</title><h1><a href='/'>A Small Blog</a></h1><h2>On lists</h2>", "On lists"),
    (
        "<title>The Mag | Essays | A night on the ridge</title><h1>A night on the <em>ridge</em></h1>",
        "A night on the ridge",
    ),
    ("<title>searching [The manual]</title><h1>Searching</h1><h1>Quick search</h1>", "Searching"),
    (
        "<title>The Board - View topic - Which oil is best?</title><h1>The Board</h1><h2>Which oil is best?</h2>",
        "Which oil is best?",
    ),
    ("<title>Travel Archives - Mag</title><h1>Travel</h1>", "Travel"),
    (
        "<title>The harbour opens again | Mag</title><h1><i>After the storm</i> The harbour opens again</h1>",
        "The harbour opens again",
    ),
    ("<meta property=og:type content=article><title>New Tea</title><h1>A shop has New Tea</h1>", "A shop has New Tea"),
    (LD('{"@type":"Article","headline":{"@value":"From a value object"}}'), "From a value object"),
]


@pytest.mark.parametrize(
    ("address", "source", "title"),
    [
        (
            "https://harbour.example/",
            "<title>Harbour: Boats for all - Harbour</title><h1>Harbour trips</h1>",
            "Harbour: Boats for all",
        ),
        ("https://harbour.example/", "<title>Harbour | Boats for all</title><h1>Boats for all</h1>", "Boats for all"),
        ("https://harbour.example/b", "<title>Harbour: Boats for all</title><p>x", "Boats for all"),
        ("https://x.example/viewtopic.php?id=1", "<title>Which oil? / Engines / The Board</title><p>x", "Which oil?"),
        ("https://x.example/viewtopic.php?t=1", "<title>Board • View topic - Which oil?</title><p>x", "Which oil?"),
        (
            "https://x.example/viewtopic.php?t=1",
            "<title>Which oil? - Boat Board</title><h1>Boat Board</h1><h2>Which oil?</h2><p>x",
            "Which oil?",
        ),
        (
            "https://x.example/threads/1",
            "<title>News - A buoy</title><h1><b class='label x'>News</b> A buoy</h1>",
            "A buoy",
        ),
        ("https://x.example/1", "<meta property=og:title content='A buoy'><h1><i>May 4</i> A buoy</h1>", "A buoy"),
        ("https://x.example/1", "<title> | The Shop</title><h1>Buoys and bells</h1>", "Buoys and bells"),
        (
            "https://www.the-paper.example/1",
            "<title>A buoy found - and lost - The Paper</title>",
            "A buoy found - and lost",
        ),
        ("https://theatre.example/1", "<title>A buoy found - and lost - Theatre</title>", "A buoy found - and lost"),
    ],
)
def test_the_site_name_from_the_address_is_cut_off_the_title(address, source, title):
    assert read(source, address).title == title


@pytest.mark.parametrize(("source", "title"), TITLES)
def test_the_title_has_no_name_of_the_site(source, title):
    assert read(source).title == title


def test_the_headline_is_the_title_if_the_title_element_is_the_sites_slogan():
    source = "<title>Harbour - The page of boats</title><h1>A kettle for the galley</h1>"
    assert read(source, "https://www.harbour.example/t/1").title == "A kettle for the galley"


BYLINES = [
    (LD('{"@type":"Article","author":{"name":"From Data"}}') + "<meta name=author content='From Meta'>", "From Data"),
    (LD('{"@type":"Article","author":["By A B","C D"]}'), "A B, C D"),
    (LD('{"@type":"Article","author":{"givenName":"Ann","familyName":"Lee"}}'), "Ann Lee"),
    (LD('{"@type":"Article","author":{"name":{"@value":"Ann Lee"}}}'), "Ann Lee"),
    (LD('{"@type":"Article","author":{"givenName":["Ann","Eva"],"familyName":"Lee"}}'), "Ann Eva Lee"),
    (LD('{"@type":"Article","author":{"name":"Di Wu"}}'), "Di Wu"),
    (LD('{"@type":"Article","author":{"name":"Di Ann Lee"}}'), "Ann Lee"),
    (
        "<meta name=DC.Creator.PersonalName content='Ann Lee'><meta name=DC.Creator.PersonalName content='Bo Orr'>",
        "Ann Lee, Bo Orr",
    ),
    # a critic's review, and a buyer's
    (LD('{"@type":"Review","itemReviewed":{"@type":"Product"},"author":{"name":"Ann Lee"}}'), "Ann Lee"),
    (
        LD('{"@type":"Review","itemReviewed":{"@type":"Product","offers":{"price":1}},"author":{"name":"Ann Lee"}}'),
        "",
    ),
    (
        LD('[{"@type":"Hotel","name":"Sea"},{"@type":"Review","itemReviewed":{"name":"Sea"},"author":"Ann Lee"}]'),
        "",
    ),
    (LD('{"@type":"Hotel","review":{"@type":"Review","itemReviewed":{"name":"Sea"},"author":"Ann Lee"}}'), ""),
    # a critic's review names its publisher, though the film has an entry of its own; one film in a list
    (
        LD(
            '[{"@type":"Movie","name":"Sea"},{"@type":"Review","itemReviewed":{"name":"Sea"},'
            '"publisher":"Mag","author":"Ann Lee"}]'
        ),
        "Ann Lee",
    ),
    (LD('{"@type":"Review","itemReviewed":[{"name":"Sea"}],"author":"Ann Lee"}'), "Ann Lee"),
    (
        LD('[{"@type":"WebSite","name":"Mag"},{"@type":"Review","itemReviewed":{"name":"Sea"},"author":"Ann Lee"}]'),
        "Ann Lee",
    ),
    (
        LD('[{"@type":"Review","itemReviewed":{},"author":"Ann"},{"@type":"Review","itemReviewed":{},"author":"Bo"}]'),
        "",
    ),
    # microdata as videos have it: the name is in no text; a reader's name does not count
    ("<div itemscope><i itemprop=author itemscope><link itemprop=name content='Ann Lee'></i></div>", "Ann Lee"),
    ("<div itemscope><i itemprop=author itemscope><meta itemprop=name content='Ann Lee'></i></div>", "Ann Lee"),
    (
        "<div itemscope itemtype=http://schema.org/UserComments><i itemprop=author itemscope>"
        "<meta itemprop=name content='Ann Lee'></i></div>",
        "",
    ),
    (
        "<div itemscope itemtype=https://schema.org/Comment><i itemprop=author itemscope>"
        "<meta itemprop=name content='Ann Lee'></i></div>",
        "",
    ),
    (LD('{"@type":"Article","author":[{"@id":{}},{"@id":["x"]},{"name":"C D"}]}'), "C D"),
    ("<meta name=author content='From Meta'><p class=byline>By Someone Else</p>", "From Meta"),
    ("<meta name=author content='admin'><p class=byline>By Jo Link</p>", "Jo Link"),
    ("<meta property=article:author content='https://social.example/jo'><a rel=author href=/jo>Jo Link</a>", "Jo Link"),
    ("<span itemprop=author>Jo Item</span>", "Jo Item"),
    ("<span class=author>Gönderen Jo Item</span>", "Jo Item"),
    ("<div>By Jo Plain</div><p>text", "Jo Plain"),
    ("<div>by the sea there stood</div>", ""),
    ("<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Orr, Bo'>", "Ann Lee, Bo Orr"),
    ("<meta name=author content='Ann Lee'><meta name=author content='Bo Orr'>", "Ann Lee, Bo Orr"),
    (
        LD('{"@type":"Article","author":[{"name":"\u201cAnn Lee\u201d"},{"name":", The Gazette"}]}'),
        "Ann Lee, The Gazette",
    ),
    (LD('{"@type":"Article","author":{"name":"Ann Lee - Gazette Editorial Team"}}'), "Ann Lee"),
    ("<h1>Tea</h1><p class=author><span>Ann Lee</span><span>May 4, 2025</span>", "Ann Lee"),
    ("<h1>Tea</h1><p class=author>By<a href=/team>Ann Lee</a>", "Ann Lee"),
    ("<h1>Tea</h1><div class=author><img src=a.jpg><p>Ann Lee writes about roads since 2010.</div>", "Ann Lee"),
    ("<h1>Tea</h1><p class=author>Ann Lee with Bo Orr", "Ann Lee with Bo Orr"),
    ("<h1>Tea</h1><div>By<b>Ann Lee</b></div>", "Ann Lee"),
    ("<meta name=author content=annlee77><h1>Tea</h1><p class=byline>By Ann Lee", "Ann Lee"),
    ("<meta name=author content=annlee77><h1>Tea</h1><div class=comment><b class=author>Bo Orr</b></div>", "annlee77"),
    ("<h1>Tea</h1><div class=testimonial><b class=author>Bo Orr</b> Great!</div>", ""),
    ("<meta property=og:type content=product><h1>Pot</h1><b class=author>Bo Orr</b> Great!", ""),
    ("<h1>\u8336</h1><p>\u4f5c\u8005\uff1a\u674e\u660e", "\u674e\u660e"),
    (
        "<h1>\u8336</h1><p>2026-05-03 \u6765\u6e90\uff1a\u65e5\u62a5 \u4f5c\u8005\uff1a\u674e\u660e \u5b57\u53f7",
        "\u674e\u660e",
    ),
    ("<h1>\u8336</h1><p>2026-05-03 \u4f5c\u8005\uff1a2026", ""),
    *(
        ("<h1>차</h1>" + line, "김영희")
        for line in (
            "<p>김영희 기자",
            "<p>입력 2024.05.12 09:00 | 김영희 선임기자",
            "<p>부산 김영희 기자 yh@paper.example",
            "<p>[항구일보=김영희 기자] 차가 왔다.",
            "<p>(서울=항구일보) 김영희 특파원 = 차가 왔다.",
            "<p>기자 김영희",
            "<p class=byline>김영희 기자 (yh@paper.example)",
        )
    ),
    ("<h1>차</h1><p>(서울=뉴스1) 피천득 기자 =", "피천득"),
    ("<h1>\u8336</h1><p>\u672c\u62a5\u8bb0\u8005 \u6a0a\u5c0f\u660e", "\u6a0a\u5c0f\u660e"),
    ("<h1>차</h1><p>한 기자가 차를 마셨다.", ""),
    (
        "<meta name=author content=항구일보><meta property=og:site_name content=항구일보><h1>차</h1><p>김영희 기자",
        "김영희",
    ),
    (LD('{"@type":"Article","author":{"name":"김영희 기자"}}'), "김영희"),
    (
        "<h1>Chai</h1><p>\u0410\u0432\u0442\u043e\u0440: \u0418\u0432\u0430\u043d \u0411\u043e\u0433",
        "\u0418\u0432\u0430\u043d \u0411\u043e\u0433",
    ),
    ("<h1>Tee</h1><p>Text: Anna Lehmann", "Anna Lehmann"),
    ("<meta name=DC.creator content='Lee, Ann'><meta name=DC.creator content='Orr, Bo'>", "Ann Lee, Bo Orr"),
    (LD('{"@type":"Article","author":[{"name":["Ann Lee"]},{"name":"Bo Orr"}]}'), "Ann Lee, Bo Orr"),
    ("<p>By <span itemprop=author>Ann Lee</span> and <span itemprop=author>Bo Orr</span></p>", "Ann Lee, Bo Orr"),
    (
        "<p class=byline>By <a rel=author href=/a>Ann Lee</a> with <a rel=author href=/b>Bo Orr</a></p>",
        "Ann Lee, Bo Orr",
    ),
    ("<div class=byline>Words by Ann Lee; photographs by Bo Orr</div>", "Ann Lee"),
    ("<div class=author>August</div><div class=author>Ann Lee</div>", "Ann Lee"),
    ("<div class=author>Ann LeeAnn Lee</div>", "Ann Lee"),
    ("<h1>Tea</h1><p><i class=author>Ann</i> <i class=author>Ann Lee</i>", "Ann Lee"),
    ("<h1>Tea</h1><p><i class=author>Ann Lee</i> <i class=author>Ann</i>", "Ann Lee"),
    ("<h1>Tea</h1><p><i class=author>Jo Lee</i> <i class=author>Jo Leeman</i>", "Jo Lee, Jo Leeman"),
    ("<h1>Tea</h1><p><i class=author>Bo Orr</i> <i class=author>Cabo Orr</i>", "Bo Orr, Cabo Orr"),
    ("<title>Tea by annlee</title><meta name=author content=annlee><h1>Tea</h1><p class=byline>By Ann Lee", "Ann Lee"),
    ("<title>Tea by Bo Orr</title><meta name=author content='Bo Orr'><h1>Tea</h1><p class=byline>Ann Lee", "Bo Orr"),
    # only the whole word "author" in rel names a link to the author, in upper case or lower case
    ("<h1>Tea</h1><p class=byline>By Ann Lee, photo by <a rel=no-author href=/b>Bo Orr</a></p>", "Ann Lee"),
    ("<h1>Tea</h1><p><a rel=Author href=/a>Ann Lee</a></p><p>Tea for a day.", "Ann Lee"),
    # lines near the headline are read however far down it is
    ("<p>Tea</p>" * 1100 + "<h1>Tea for one</h1><p>By Ann Lee</p><p>Tea for a day.", "Ann Lee"),
    # nothing but a name and a day between headline and text, and no subject of the page
    ("<h1>Tea</h1><div>Ann Lee</div><div>4 May 2024</div><p>Tea for a day.", "Ann Lee"),
    ("<h1>Tea</h1><div>Ann von der Lee</div><div>4 May 2024</div><p>Tea for a day.", "Ann von der Lee"),
    ("<h1>Tea</h1><div>Ann Lee | Writer | 4 May 2024</div><p>Tea for a day.", "Ann Lee"),
    ("<h1>Tea</h1><div>Green Tea</div><div>4 May 2024</div><p>Much green tea is drunk.", ""),
    ("<h1>Tea</h1><div>Ann Lee</div><p>Tea for a day.", ""),
    # whom data name as the site itself gives way to who is named beside the headline
    (
        LD('{"@type":"Article","author":"The Daily","publisher":{"name":"Daily"}}')
        + "<h1>Tea</h1><p class=byline>Ann Lee",
        "Ann Lee",
    ),
    # the entries of a list
    (
        "<h1>News</h1>"
        + "<p>a<p>b<p>c" * 2
        + "".join(f"<h2>x</h2><i class=byline>{n} Lee</i>" for n in ("Al", "Bo", "Cy", "Flo")),
        "",
    ),
    # a card in a link, a role in a block of its own, a link to a topic, a reporter's page
    ("<h1>Tea</h1><div class=byline><a href=/author/al><b>Ann Lee</b> <div>Tea Planner</div></a></div>", "Ann Lee"),
    ("<h1>Tea</h1><div class=author><div>Ann Lee</div> <div>Tea Planner</div></div>", "Ann Lee"),
    ("<h1>Tea</h1><div class=author><div>By</div> <div>Ann Lee</div></div>", "Ann Lee"),
    ("<h1>Tea</h1><div class=author><div>Author:</div> <div>Ann Lee</div></div>", "Ann Lee"),
    ("<h1>Tea</h1><p class=byline><a href=/tag/tea>Green Tea</a> <b>Ann Lee</b>", "Ann Lee"),
    ("<h1>Tea</h1><p class=byline>By <a href=/tag/ann-lee>Ann Lee</a>", "Ann Lee"),
    ("<h1>Tea</h1><p class=byline>Von <a href=/tag/a>Ann Lee</a>, <a href=/tag/b>Bo Orr</a>", "Ann Lee, Bo Orr"),
    ("<h1>Tea</h1><p class=byline>By <a href=/tag/a>Ann Lee</a> in <a href=/tag/tea>Green Tea</a>", "Ann Lee"),
    ("<h1>Tea</h1><p class=byline><a rel=tag href=/tea>Green Tea</a> March 4, 2024", ""),
    ("<h1>茶</h1><p class=author>潮報 記者<a href=/news/reporter/1>李明華</a>／台中報導", "李明華"),
    ("<h1>茶</h1><p><a href=/reporter/1>山田太郎</a><p>text", "山田太郎"),
    ("<h1>茶</h1><p><a href=/team/1>关于我们</a><p>text", ""),
    # a line that is only a name, but not of a place, a button or a topic
    ("<h1>Tea</h1><p>Ann Lee, March 4, 2024", "Ann Lee"),
    ("<h1>Tea</h1><p>March 4, 2024 • Ann Lee in Green Tea", "Ann Lee"),
    ("<h1>Tea</h1><p>New York, March 4, 2024", ""),
    ("<h1>Tea</h1><p>Kiel, United States, 4 March 2024", ""),
    ("<h1>Tea</h1><button>Contact Sales</button><p>March 4, 2024", ""),
    ("<h1>Tea</h1><p><a href=/category/x>Green Tea</a><p>March 4, 2024", ""),
    ("<h1>Tea</h1><a id=pqv-byline>From Kiel</a>", ""),
    ("<h1>Tea</h1><p>BY POPULAR DEMAND<p>March 4, 2024", ""),
    # one word after "by", right below the headline
    ("<h1>Tea</h1><p>by annlee<p>May 4, 2024<p>text", "annlee"),
    ("<h1>Tea</h1><p>May 4, 2024<p>by annlee<p>text", "annlee"),
    ("<h1>Tea</h1><p>12/19 \u2014 2025<p>by annlee<p>text", "annlee"),
    ("<h1>Tea</h1><p>Posted by annlee 3 hours ago<p>text", "annlee"),
    ("<h1>Tea</h1><p>by hand<p>text", ""),
    ("<h1>Tea</h1><p>By Category<p>text", ""),
    ("<h1>Tea</h1><p>Written by experts<p>text", ""),
    ("<h1>Tea</h1><p>by Ann \u00b7 May 4, 2024<p>text", "Ann"),
    ("<h1>Tea</h1><p>Submitted by ann.l on Mon, 03/04/2024 - 09:10<p>text", "ann.l"),
    ("<h1>Tea</h1><p>by all means<p>May 4, 2024", ""),
    ("<h1>Tea</h1><p>By Brand<p>May 4, 2024<p>Tea of each brand at a fair price.", ""),
    ("<p>by annlee<p>May 4, 2024", ""),
    ("<h1>Tea</h1><p>a<p>b<p>c<p>by annlee<p>May 4, 2024", ""),
    ("<html lang=nl><h1>Brug</h1><p>Door Ann de Vries</p><p>tekst", "Ann de Vries"),
    ("<html lang=it><h1>Ponte</h1><p>di Marco Bianchi</p><p>testo", "Marco Bianchi"),
    ("<html lang=en><h1>Kitchen</h1><p>Door Handles</p><p>text", ""),
]


LINES = [
    ("By Ann Lee, M.D.", "Ann Lee, M.D."),
    ("By Ann Lee Jr.", "Ann Lee Jr."),
    ("By Ann Lee.", "Ann Lee"),
    ("Words: Ann Lee", "Ann Lee"),
    ("Author:Ann Lee", "Ann Lee"),
    ("\u6587\uff1a\u674e\u660e", "\u674e\u660e"),
    ("By Ann Lee / Photos by Bo Orr", "Ann Lee"),
    ("By Ann Lee, photographs by Bo Orr", "Ann Lee"),
    ("By Ann Lee, with photographs by Bo Orr", "Ann Lee"),
    ("Words by Ann Lee Photography by Bo Orr", "Ann Lee"),
    ("Words: Ann Lee / Photos: Bo Orr", "Ann Lee"),
    ("Story and Photos by Ann Lee", "Ann Lee"),
    ("By Lee Min-ho", "Lee Min-ho"),
    ("By Kim Min Seok", "Kim Min Seok"),
    ("By Lee In-young", "Lee In-young"),
    ("By James Last", "James Last"),
    ("By Ann Lee Last updated May 4", "Ann Lee"),
    ("By Jack Ma", "Jack Ma"),
    ("Di Redazione", ""),
    ("May 4, 2024", ""),
    ("May Lee, June 4, 2024", "May Lee"),
    ("di Anna", "Anna"),
    ("By Ann Lee, Robert Smith", "Ann Lee, Robert Smith"),
    ("By Ann Lee, Robert Smith and Bo Li", "Ann Lee, Robert Smith and Bo Li"),
    ("By Ann Lee, Robert Smith, Carol Jones | May 4", "Ann Lee, Robert Smith, Carol Jones"),
    ("By Ann Lee, Senior Reporter", "Ann Lee"),
    ("By Ann Lee, Health Correspondent", "Ann Lee"),
    ("By Ann Lee, Chief Economist", "Ann Lee"),
    ("By Ann Lee, Associated Press", "Ann Lee"),
    ("By Ann Lee, Robert Smith Foundation", "Ann Lee"),
    ("By Ann Lee, Reuters", "Ann Lee"),
    ("By Ann Lee, Berlin Kurier", "Ann Lee"),
    ("By Ann Lee, New Delhi", "Ann Lee"),
    ("By Ann Lee, Buenos Aires", "Ann Lee"),
    ("By Ann Lee, Santa Monica", "Ann Lee"),
    ("By Ann Lee, Santa Montefiore and Bo Orr", "Ann Lee, Santa Montefiore and Bo Orr"),
    ("By Ann Lee, San Diego and Bo Orr", "Ann Lee"),
    ("By Ann Lee, Hong Kong", "Ann Lee"),
    ("By Ann Lee, La Presse", "Ann Lee"),
    ("By Ann Lee, The New York Times", "Ann Lee"),
    ("By Ann Lee, CNN Business", "Ann Lee"),
    ("By Ann Lee, El País", "Ann Lee"),
    ("By Ann Lee, Hong Liang", "Ann Lee, Hong Liang"),
    ("By Ann Lee, Bo North", "Ann Lee, Bo North"),
    ("By Ann Lee, Emma New and Bo Orr", "Ann Lee, Emma New and Bo Orr"),
    ("By Ann Lee, West-Orr Bo", "Ann Lee, West-Orr Bo"),
    ("By Ann Lee, Robert Orr, and Carol Jones", "Ann Lee, Robert Orr, and Carol Jones"),
    ("By Ann Lee, with Bo Orr", "Ann Lee, with Bo Orr"),
    ("By Ann Lee with additional reporting", "Ann Lee"),
    ("By Ann Lee in New York and Bo Orr in Paris", "Ann Lee and Bo Orr"),
    ("By Ann Lee in Kiel and New York", "Ann Lee"),
    ("By Ann Lee in Kiel and Bremen", "Ann Lee"),
    ("By Ann Lee, CNN", "Ann Lee"),
    ("By Ann Lee, RD, MPH", "Ann Lee, RD, MPH"),
    ("By Ann Lee/Reuters", "Ann Lee"),
    ("By Ann Lee Yesterday", "Ann Lee"),
    ("By Ann Lee Today at 9:00", "Ann Lee"),
    ("By Psychology Today", "Psychology Today"),
    ("By Popular Demand", ""),
    ("BY POPULAR DEMAND", ""),
    ("Medically reviewed by Bo Orr, MD — By Ann Lee", "Ann Lee"),
    ("Reviewed by Bo Orr", "Bo Orr"),
    ("Ein Gastbeitrag von Ann Lee", "Ann Lee"),
    ("Autorka: Anna Lee", "Anna Lee"),
    ("Skrevet av Anna Lee", "Anna Lee"),
    ("執筆：山田太郎", "山田太郎"),
    ("記者李明／台北報導", "李明"),
    ("नाम राम कुमार", "नाम राम कुमार"),
    ("By Our Correspondent", ""),
    ("BY STAFF REPORTER", ""),
    ("Par la rédaction", ""),
    ("文/海湾", "海湾"),
    ("글·사진 김영희", "김영희"),
    ("글·사진 남궁민수", "남궁민수"),
    ("글·사진 갤러리", ""),
    ("기자 김영희", "김영희"),
    ("記者 / 編集", ""),
    ("Autor / annlee", "annlee"),
    ("Autorka:", ""),
]

PLAIN_LINES = [
    ("By Ann Lee with Bo Orr", "Ann Lee with Bo Orr"),
    ("By Ann Lee; Robert Orr", "Ann Lee; Robert Orr"),
    ("Ann Lee with Bo Orr", ""),
    ("By Popular Demand", ""),
    ("Guest post by Ann Lee", "Ann Lee"),
    ("Co-authored by Ann Lee", "Ann Lee"),
    ("Story by Ann Lee", "Ann Lee"),
    ("Photo by Ann Lee", ""),
    ("Edited by Ann Lee", ""),
    ("Eine Analyse von Ann Lee", "Ann Lee"),
    ("Eine Frau von Format", ""),
    ("Ein Film von Wim Wenders", ""),
    ("Ein Foto von Anna Schmidt", ""),
    ("Ein Angebot von Deutsche Post", ""),
    ("Ein Reisebericht von Ann Lee", "Ann Lee"),
    ("Geschrieben von Ann Lee", "Ann Lee"),
    ("Skrevet av oss", ""),
    ("Propos recueillis par téléphone", ""),
    ("Propos recueillis par Anne Dupont", "Anne Dupont"),
    ("Yazan: Ann Lee", "Ann Lee"),
    ("لكاتب: أحمد", ""),
    ("الكاتب: أحمد علي", "أحمد علي"),
    ("كتب: أحمد علي", "أحمد علي"),
    ("كتب | روايات", ""),
    ("लेखक: राम कुमार", "राम कुमार"),
    ("Words: Ann Lee / Photos: Bo Orr", "Ann Lee"),
    ("Words by Ann Lee Photography by Bo Orr", "Ann Lee"),
    ("Written by:Ann Lee", "Ann Lee"),
    ("Keywords: Ann Lee", ""),
    ("记者 李明", "李明"),
    ("記者李明／台北報導", "李明"),
    ("潮報 記者李明／台北報導", "李明"),
    ("记者 近日走访了海港", ""),
    ("文｜六神磊磊", "六神磊磊"),
    ("取材・文／山田太郎", "山田太郎"),
    ("글·사진 김영희", "김영희"),
    ("글·사진 남궁민수", "남궁민수"),
    ("Text | Ann Lee", "Ann Lee"),
    ("Автор / Иван Бог", "Иван Бог"),
    # items of menus
    ("记者 招聘", ""),
    ("日报记者 团队", ""),
    ("글·사진 갤러리", ""),
    ("기자 채용", ""),
    ("시민 기자", ""),
    ("전체 기자", ""),
    ("Tekst / Foto", ""),
    ("Text | Bild", ""),
    ("Texte / Photos", ""),
    ("Автор / Редактор", ""),
    ("ライター / 編集", ""),
    ("文 / 图", ""),
    ("Text Size Options", ""),
    ("BY STAFF REPORTER", ""),
    ("Ten bridges of 2025, reviewed by a reader", ""),
]


@pytest.mark.parametrize(("line", "byline"), PLAIN_LINES)
def test_the_author_is_read_from_a_line_of_text_below_the_headline(line, byline):
    assert read(f"<h1>Tea</h1><p>{line}</p><p>Text.").byline == byline


@pytest.mark.parametrize(("line", "byline"), LINES)
def test_labels_before_and_after_a_name_are_cut_off(line, byline):
    assert read(f"<h1>Tea</h1><p class=byline>{line}</p><p>Text.").byline == byline


CAPITALS = [
    ("BY ANN LEE", "ANN LEE"),
    ("BY: ANN LEE AND BO ORR", "ANN LEE AND BO ORR"),
    ("BY USING THIS SITE YOU AGREE TO COOKIES", ""),
    ("BEST TEAS OF 2024 BY PRICE", ""),
    ("Best Teas of 2024 BY PRICE", ""),
    ("POSTED MAY 4 BY ANN LEE", ""),
    ("Posted May 4 BY ANN LEE", ""),
    ("BY WILL LEE", "WILL LEE"),
    ("BY USING MAILCHIMP", ""),
]


@pytest.mark.parametrize(("line", "byline"), CAPITALS)
def test_a_line_that_begins_with_by_in_capitals_is_a_byline_unless_its_words_are_common(line, byline):
    text = "Anyone using this site will agree to it and to our cookies."
    assert read(f"<h1>Tea</h1><p>{line}</p><p>{text}</p>").byline == byline


@pytest.mark.parametrize("host", ["www.thepaper.co.uk", "the-paper.example", "paper.example"])
def test_the_name_of_the_site_after_an_author_is_cut_off(host):
    assert read("<meta name=author content='Ann Lee, The Paper'><h1>Tea</h1>", f"https://{host}/1").byline == "Ann Lee"


@pytest.mark.parametrize("byline", ["Ann Lee, Morgen Echo", "Ann Lee, The Morgen Echo", "Ann Lee, Morgen Echo Kiel"])
def test_the_name_that_a_page_gives_its_site_is_cut_off_after_an_author(byline):
    site = "<meta property=og:site_name content='Morgen Echo'><h1>Tea</h1>"
    assert read(f"{site}<p class=byline>By {byline}", "https://x.example/1").byline == "Ann Lee"
    assert read(f"{site}<meta name=author content='{byline}'>", "https://x.example/1").byline == "Ann Lee"


def test_an_author_who_is_the_publisher_stays():
    people = '{"@type":"Person","name":"Ann Lee"},{"@type":"Person","name":"Bo Orr"}'
    work = f'{{"@type":"BlogPosting","author":[{people}],"publisher":{{"@type":"Person","name":"Bo Orr"}}}}'
    assert read(LD(work) + "<h1>Tea</h1>", "https://x.example/1").byline == "Ann Lee, Bo Orr"


CHINESE = [
    ("<p class=author>责任编辑：林海", ""),
    ("<p class=author>作者：未知 责任编辑：林海", ""),
    ("<p class=author>作者：李明 责任编辑：林海", "李明"),
    ("<p class=author>海湾发布 关注", "海湾发布"),
    ("<p>海湾新闻记者 李明 王芳", "李明 王芳"),
    ("<p>2024-05-12 12:11来源：海湾日报网作者：李明", "李明"),
    ("<p>发表于2024-05-12 21:30| 来源海湾日报| 作者李明", "李明"),
    ("<meta name=author content=海湾日报网><p>2024-05-12 作者：李明", "李明"),
    ("<meta name=author content=海湾日报网><p>2024-05-12", "海湾日报网"),
    ("<p>第一章 总 则</p><p>2024-05-12", ""),
]


@pytest.mark.parametrize(("line", "byline"), CHINESE)
def test_chinese_bylines_give_the_author_and_not_the_editor(line, byline):
    assert read(f"<html lang=zh><title>茶_海湾日报网</title><h1>茶</h1>{line}").byline == byline


@pytest.mark.parametrize(
    "line", ["Ann Lee Tuesday, Aug. 17, 2010", "Ann Lee @annlee", "Ann Lee PAPER.com Archive", "Ann Lee, The Paper"]
)
def test_text_after_a_name_is_cut_off(line):
    source = f"<h1>Tea</h1><p class=byline>By {line}"
    assert read(source, "https://www.thepaper.example/tea").byline == "Ann Lee"


@pytest.mark.parametrize("host", ["www.thepaper.com", "www.thepaper.co.uk", "thepaper.com.au"])
def test_the_name_of_the_site_after_a_name_is_cut_off(host):
    source = "<meta name=author content='Ann Lee, The Paper'><h1>Tea</h1>"
    assert read(source, f"https://{host}/tea").byline == "Ann Lee"


@pytest.mark.parametrize("kind", ["http://schema.org/UserComments", "https://schema.org/Comment/", "schema.org/Answer"])
def test_the_author_of_a_comment_in_microdata_is_not_the_pages(kind):
    comment = f"<div itemscope itemtype={kind}><b itemprop=author>Bo Orr</b><p>Nice"
    assert read(f"<h1>Tea</h1>{comment}").byline == ""
    assert read(f"<h1>Tea</h1><p class=byline>By Ann Lee</p>{comment}").byline == "Ann Lee"


def test_a_time_is_not_an_author_and_by_is_cut_off_in_meta_elements():
    assert read("<h1>Tea</h1><p class=byline>9:39AM BST</p>").byline == ""
    assert read("<meta name=author content='By Ann Lee'>").byline == "Ann Lee"


@pytest.mark.parametrize(("source", "byline"), BYLINES)
def test_the_byline_is_read_from_the_best_source(source, byline):
    assert read(source).byline == byline


DATES = [
    (LD('{"@type":"Article","datePublished":"2024-01-02"}') + "<time datetime=2023-01-01>x</time>", "2024-01-02"),
    ("<meta property=article:published_time content=2024-01-02T03:04:05Z>", "2024-01-02T03:04:05Z"),
    (LD('{"@type":"WebPage","datePublished":"2024-01-02"}'), ""),  # when the page was made, not what is on it
    (LD('{"@type":"Product","review":{"@type":"Review","datePublished":"2024-01-02"}}'), ""),
    ("<h1>Tea</h1><p>Updated March 5, 2024</p><p>Posted 4. Mai 2023 by Ann</p>", "2023-05-04"),
    ("<h1>Tea</h1>" + "".join(f"<p>Item, {i} May 2024</p>" for i in range(1, 9)), ""),
    ("<h1>\u8336</h1><p>2024\u5e745\u67086\u65e5</p>", "2024-05-06"),
    ("<p><time datetime=2024-01-02>yesterday</time>", "2024-01-02"),
    ("<p>Posted on January 2, 2024", "2024-01-02"),
    ("<h1>Tea</h1><p>March 5, 2024 - 11 minutes</p>", "2024-03-05"),  # as long it takes to read
    ("<h1>Tea</h1><p>March 5, 2024 - 09:10</p>", "2024-03-05"),
    ("<h1>Tea</h1><p>Updated on May 5, 2024 (originally published March 4, 2024)</p>", "2024-03-04"),
    ("<h1>Tea</h1><p>Modified: May 5, 2024. Published: March 4, 2024</p>", "2024-03-04"),
    ("<h1>Tea</h1><p>Republished May 5, 2024</p>", "2024-05-05"),
    ("<h1>Tea</h1><p>Updated May 5, 2024 after the study published March 4, 2019</p>", "2024-05-05"),
    ("<h1>Tea</h1><p>Updated May 5, 2024 Published March 4, 2024</p>", "2024-03-04"),
    (
        "<h1>Tea</h1><p><abbr class=published title=2024-03-04T09:10:11+01:00>March 4</abbr>",
        "2024-03-04T09:10:11+01:00",
    ),
    ("<h1>Tea</h1><p>\u0664 \u0645\u0627\u0631\u0633 \u0662\u0660\u0662\u0665</p>", "2025-03-04"),
    ("<h1>\u8336</h1><p>\u4ee4\u548c6\u5e743\u67084\u65e5</p>", "2024-03-04"),
    ("<meta name=citation_online_date content=2024/03/04>", "2024-03-04"),
    ("<meta name=citation_online_date content=2024/03/05><meta name=citation_date content=2024/03/04>", "2024-03-04"),
    ("<h1>Tea</h1><p>March 5, 2024 - 11 April</p>", ""),  # a span of days
    (
        "<h1>Tea</h1><span property='dc:date dc:created' content=2014-03-04>By <b>Ann</b> 03/04/2014</span>",
        "2014-03-04",
    ),
    ("<p>nothing", ""),
    (LD('{"@type":"Article","datePublished":["2024-01-02"]}'), "2024-01-02"),
    (LD('{"@type":"Article","datePublished":{"@value":"2024-01-02"}}'), "2024-01-02"),
    ("<h1>Tea</h1><p>Posted <time datetime=2024-01-02>a year ago</time>, updated today</p>", "2024-01-02"),
    ("<h1>Τσάι</h1><p>4 Μαΐου 2024</p>", "2024-05-04"),
    (LD('{"@type":"MusicEvent"}') + "<h1>Fair</h1><time datetime=2026-06-06>6 June</time>", ""),
    (
        LD('{"@type":"Article","about":{"@type":"Event"}}') + "<h1>Fair</h1><time datetime=2026-06-06>x</time>",
        "2026-06-06",
    ),
    # the day beside the headline, which is earlier than the data's: the text was moved
    (LD('{"@type":"Article","datePublished":"2024-06-07"}') + "<h1>Tea</h1><p>May 3, 2024</p>", "2024-05-03"),
    (LD('{"@type":"Article","datePublished":"2024-01-02"}') + "<h1>Tea</h1><p>Jan 9, 2024</p>", "2024-01-02"),
    # no day of publication: what is sold, an offer, an event, a release, a list of other texts, a copyright
    (LD('{"@type":"Product"}') + "<meta property=article:published_time content=2024-01-02><h1>Tea</h1>", ""),
    ("<h1>Tea</h1><p>Sale ends March 5, 2024", ""),
    ("<h1>Tea</h1><p>March 5, 2024 - March 9, 2024", ""),
    ("<h1>Tea</h1><p>Release date:<p>March 5, 2024", ""),
    ("<h1>Tea</h1><p>\u00a9 March 5, 2024", ""),
    ("<h1>News</h1>" + "".join(f"<h2>Thing {i}</h2><p class=day>May {i}, 2024</p>" for i in range(1, 5)), ""),
    ("<h1>Tea</h1>" + "<p>word word word word" * 30 + "<p>Published: March 5, 2024", "2024-03-05"),
    ("<h1>Tea</h1>" + "<p>word word word word" * 30 + "<p>Published<p>5 Mar 2024", "2024-03-05"),
    ("<h1>Tea</h1>" + "<p>word word word word" * 30 + "<p>Last updated: March 5, 2024", ""),
    ("<meta name=citation_publication_date content='2023 Jan 7'>", "2023-01-07"),
    # a label of its own counts more than the words before it; days of spans, of a building's hours, of a revision
    ("<p>Start here<p>Published May 4, 2024 by Ann<h1>Tea</h1>", "2024-05-04"),
    ("<h1>Tea</h1><p>DATE: 2024-05-04 - 2024-05-09", ""),
    ("<h1>Tea</h1><p>Open today, May 4, 2024", ""),
    ("<h1>Tea</h1><p>Date last reviewed:<div><time datetime=2024-05-04>x</time>", ""),
    ("<h1>Tea</h1><p><local-time datetime=2024-05-04T08:00:00Z>x</local-time>", "2024-05-04T08:00:00Z"),
    (LD('{"@type":"VideoObject","uploadDate":"2024-05-04"}') + "<h1>Tea</h1>", ""),
    # the minutes of reading time are not a day; what comes after the day may be that of a change
    ("<p>March 5, 2024 - 11 minutes</p><h1>Tea</h1>", "2024-03-05"),
    ("<h1>Tea</h1><p>March 5, 2024. Updated: March 9, 2024", "2024-03-05"),
    (
        "<h1>Tea</h1><p>March 9, 2024</p>" + "<p>word word word" * 30 + "<p>First published on 5 March 2024.",
        "2024-03-05",
    ),
    # a list of others before the headline, and a day right after it
    (
        "".join(f"<li><time datetime=2024-01-0{i}>x</time> Cup {i}" for i in range(1, 8))
        + "<h1>Tea</h1><div class=meta><time datetime=2023-03-05>x</time></div><p>text",
        "2023-03-05",
    ),
    # a post and its comments
    (
        "<h1>Tea</h1><time itemprop=datePublished datetime=2024-03-05>x</time><p>text"
        + "".join(f"<p><time itemprop=commentTime datetime=2024-04-0{i}>x</time> yes" for i in range(1, 8)),
        "2024-03-05",
    ),
    (
        "<html lang=fr><h1>Pont</h1><p>Publi\u00e9 le 03/04/2024 \u00e0 18h05, mis \u00e0 jour le 05/04/2024</p>",
        "2024-04-03",
    ),
    ("<html lang=en-US><h1>Road</h1><p>Date: 03/04/2024</p>", "2024-03-04"),
    ("<html lang=en><h1>Road</h1><p>Date: 03/04/2024</p>", ""),
    (
        "<h1>Firm opens plant</h1><p>For release<p>BASEL, March 14, 2023 /Wire/ -- "
        + "Firm AG opened its new plant here. " * 5,
        "2023-03-14",
    ),
    ("<h1>Parks</h1><p>a" + "".join(f"<div class=card><b>{n}</b><i>5 May 2024</i></div>" for n in "xyz"), ""),
    ("<h1>v2.1.0</h1><p>ann released this <relative-time datetime=2024-02-20>Feb 20</relative-time></p>", "2024-02-20"),
    # a guide that was written anew shows its new day, a story that was corrected keeps its own
    (LD('{"@type":"Article","datePublished":"2015-04-06"}') + "<h1>Tea</h1><p>Updated May 4, 2025", "2025-05-04"),
    (LD('{"@type":"Article","datePublished":"2025-04-30"}') + "<h1>Tea</h1><p>Updated May 4, 2025", "2025-04-30"),
    ("<meta property=article:published_time content=2015-04-06>" + "<h1>Tea</h1><p>Updated May 4, 2025", "2015-04-06"),
]


DATES += [
    # the day of today above the headline, and that of the text below it
    ("<p>Mon, 25 Dec 2023</p><h1>Tea</h1><p>Ann Lee, 14 May 2020</p><p>text", "2020-05-14"),
    # the headline is not a heading
    (
        "<title>How the tea was made_The Paper</title><p>25 Dec 2023</p>"
        + "<p>news</p>" * 9
        + "<p>How the tea was made</p><p>14 May 2020</p><p>text",
        "2020-05-14",
    ),
    ("<h1>Tea</h1><ul><li>The Tea Act was signed into law on August 14, 1935</ul><p>text", ""),
    ("<h1>شاي</h1><p>السبت، 03 آب/أغسطس 2013، آخر</p><p>نص", "2013-08-03"),
    ("<h1>茶</h1><p>海湾新闻 2019 09/07 19:02</p><p>茶", "2019-09-07"),
]


@pytest.mark.parametrize(("source", "published"), DATES)
def test_the_date_is_read_from_the_best_source(source, published):
    assert read(source).published == published


def test_the_date_is_read_from_the_address():
    assert read("<p>x", "https://x.example/2024/01/02/title").published == "2024-01-02"
    assert read("<p>x", "https://x.example/2024/POLITICS/01/02/title").published == "2024-01-02"
    canonical = "<link rel=canonical href=https://x.example/2024/01/02/title><p>x"
    assert read(canonical, "https://x.example/news/title").published == "2024-01-02"


def test_the_date_of_a_webpage_entry_counts_if_the_address_has_its_month():
    source = LD('{"@type":"WebPage","datePublished":"2024-01-02"}')
    assert read(source, "https://x.example/2024/01/title").published == "2024-01-02"
    assert read(source, "https://x.example/2024/02/title").published == ""


def test_a_clock_above_a_thread_and_the_day_a_member_joined_are_not_the_date():
    clock = "<p><time datetime=2026-03-05T12:16:19Z>March 05, 2026</time>" + "<p>menu" * 10
    post = "<h1>Tea</h1><div>ann Joined: 4 May 2012 <time datetime=2021-02-11>11 Feb 2021</time></div><p>Which tea?"
    assert read(clock + post, "https://x.example/index.php?topic=58.0").published == "2021-02-11"


def test_the_day_a_member_joined_is_not_the_date_of_a_post():
    source = "<p>Founded: Dec 11, 2021<p>by Ann \u00bb Tue Aug 27, 2019 1:47 am<p>I have a question about tea."
    assert read(source, "https://forum.example/viewtopic.php?t=4").published == "2019-08-27"


def test_the_first_page_of_a_site_has_no_date():
    source = "<h1>{}</h1><p>By Ann Lee</p><p>May 3, 2024</p>"
    canonical = "<link rel=canonical href=https://tea.example{}>"
    for address, own, headline, is_home in (
        ("https://tea.example/pot", "", "Pots", False),
        ("https://tea.example/", canonical.format("/"), "Pots", True),
        ("https://tea.example/", canonical.format("/pot"), "Pots", False),
        ("https://tea.example/", "", "Welcome to Tea", True),
        ("https://tea.example/", "", "Pots", False),
    ):
        known = read(own + source.format(headline), address)
        assert (known.byline, known.published) == (("", "") if is_home else ("Ann Lee", "2024-05-03"))


def test_questions_below_an_article_do_not_make_it_a_forum():
    faq = LD('{"@type":"FAQPage","mainEntity":[{"@type":"Question"}]}')
    assert read(faq + "<h1>Tea</h1><p>May 3, 2024</p>" + "<p class=username>Reader", "https://x.example/a").byline == ""


OTHERS = [
    ("<html lang=de-AT><meta property=og:locale content=en_US>", "language", "de-AT"),
    ("<meta property=og:locale content=en_US>", "language", "en-US"),
    ("<html lang='not a tag!'>", "language", ""),
    ("<html lang=und><meta property=og:locale content=en_US>", "language", "en-US"),
    ("<meta http-equiv=content-language content=German><meta name=dc.language content=de>", "language", "de"),
    (LD('[{"@type":"Article","inLanguage":"German"},{"@type":"Article","inLanguage":"de"}]'), "language", "de"),
    ("<meta property=og:site_name content='The Site'>", "site_name", "The Site"),
    ("<meta name=citation_journal_title content='Journal of Tea'>", "site_name", "Journal of Tea"),
    (LD('{"@type":"Article","inLanguage":["de"]}'), "language", "de"),
    (LD('{"@type":"WebSite","name":"From data"}'), "site_name", "From data"),
    ("<meta name=description content=' Short  text '>", "excerpt", "Short text"),
    ("<p>" + "word " * 30, "excerpt", ("word " * 30).strip()),
]


@pytest.mark.parametrize(("source", "field", "value"), OTHERS)
def test_other_fields(source, field, value):
    assert getattr(read(source), field) == value


def test_long_values_are_cut_off():
    assert len(read(f"<meta name=description content='{'x' * 5000}'>").excerpt) == fields.MAX_EXCERPT


ARTICLE = '{{"@type":"Article","author":{}}}'


@pytest.mark.parametrize(
    ("source", "byline"),
    [
        (LD(ARTICLE.format('[{"name":"Ida Lind"},{"name":"Per Holm"}]')), "Ida Lind, Per Holm"),
        (LD(ARTICLE.format('{"@id":"#1"}')) + LD('{"@type":"Person","@id":"#1","name":"Ida Lind"}'), "Ida Lind"),
        (LD('{"@type":"Product","review":{"@type":"Review","author":{"name":"Happy Buyer"}}}'), ""),
        ('<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ida Lind">', "Ida Lind"),
        ("<h1>T</h1><p class=byline>By Ida Lind, Senior Editor</p>", "Ida Lind"),
        ("<h1>T</h1><div class=author><a href=/author/ida>Ida Lind</a> Founder of things</div>", "Ida Lind"),
        ("<h1>T</h1><p>May 5, 2024 by Ida Lind</p>", "Ida Lind"),
        ("<h1>T</h1><p>Written by Ida Lind and Per Holm</p>", "Ida Lind and Per Holm"),
        ("<h1>T</h1><p>Posted on May 4 by Ida</p>", "Ida"),
        ("<h1>T</h1><p>May 4 by Ida</p>", ""),  # one word after a bare "by" does not count as a name
        ("<h1>T</h1><p>4 May 2024 Words by Ida</p>", "Ida"),
        ("<h1>T</h1><p class=author>Author</p><p class=author-name>Ida Lind</p>", "Ida Lind"),
        ("<h1>T</h1><p class=author>View all posts by Ida Lind</p>", "Ida Lind"),
        ("<h1>T</h1><form><label class=author>Name *</label></form>", ""),
        ("<h1>T</h1><ul><li>Shop by Category</li></ul><p>About us</p>", ""),
        ("<link rel=canonical href=//x.example/forum/1><h1>T</h1><b class=username>kelp_77</b><p>Hi", "kelp_77"),
    ],
)
def test_bylines_give_names_of_people(source, byline):
    assert read(source).byline == byline


def test_the_sources_of_author_and_date_are_named():
    found = read("<h1>T</h1><p class=byline>By Ida Lind</p>" + LD('{"@type":"Article","datePublished":"2024-01-02"}'))
    assert found.read_from == (("author", "element"), ("published", "json-ld"))


FIRST_POSTS = [
    "<h1>Tea</h1><li>Thread starter bo77<li>Start date May 4, 2025<p><a class=username>cy</a>",
    "<h1>Tea</h1><p><b>bo77</b> Discussion starter</p><div data-author=cy>Hi",
    "<h1>Tea</h1><div data-author=bo77>Hello</div><div data-author=cy>Hi",
    "<h1>Tea</h1><p class=author>Sunday by <a class=username>bo77</a> \u00bb Sun May 4",
    "<h1>Q</h1><h4><a href='./memberlist.php?mode=viewprofile&u=1'>bo77</a></h4><p>Question</p><b class=username>b",
    "<h1>Q</h1><p>Thread starter bo77<p>Question<b class=username>other",
    "<title>Q</title><p>Tea<p>Started by cy, June 04, 2024<h1>Q</h1><div data-author=bo77>Hello</div>",
    "<h1>Q</h1><p>Started by bo77, June 04, 2024, 11:23:55 AM<p>Question<b class=username>other",
    "<h1>Q</h1><p><a href=/users/signup>Sign up</a><div itemprop=author><a href=/users/7/bo77>bo77</a> 1,204</div><p>Q",
]

STARTED = [
    "Started by bo77 May 4",
    "Started by bo77 on May 4, 2024",
    "Started by bo77 \u00b7 4 May",
    "Discussion started by @bo77 2 hours ago",
    "Asked by bo77 yesterday",
    "Posted by bo77 \u00bb Sun May 4, 2024",
    "Posted by bo77, 4 juin 2024",
    "Thread starter bo77 Start date May 4",
]


@pytest.mark.parametrize("line", STARTED)
def test_the_time_after_a_user_name_is_cut_off(line):
    assert read(f"<h1>Tea</h1><p>{line}<p>Question", "https://a.example/threads/tea.7/").byline == "bo77"


def test_a_month_without_a_day_belongs_to_the_user_name():
    source = "<h1>Tea</h1><p>Started by Sunny May<p>Question"
    assert read(source, "https://a.example/threads/tea.7/").byline == "Sunny May"


@pytest.mark.parametrize("source", FIRST_POSTS)
def test_on_a_forum_the_author_is_that_of_the_first_post(source):
    assert read(source, "https://a.example/threads/tea.7/").byline == "bo77"


def test_a_user_name_may_have_a_number():
    source = "<h1>Q</h1><div itemprop=author>user3080392</div><p>Question"
    assert read(source, "https://a.example/threads/tea.7/").byline == "user3080392"


STANDING = [
    "https://docs.a.example/tea/pot",
    "https://a.example/docs/18/select.html",
    "https://a.example/topic/tea",
    "https://a.example/genre/Action/?page=2",
    "https://a.example/services/brewing/",
]


@pytest.mark.parametrize("address", STANDING)
def test_pages_kept_up_to_date_have_neither_date_nor_author(address):
    source = "<meta name=author content='Ann Lee'><meta property=article:published_time content=2025-05-04><h1>Tea</h1>"
    assert read(source, address)[1:3] == ("", "")
    metadata = read(source, f"{address.partition('?')[0].rstrip('/')}/blog/tea")
    assert metadata[1:3] == ("Ann Lee", "2025-05-04")


def test_the_headline_is_the_heading_most_like_the_title():
    source = (
        "<title>Best trails | The Site</title><h1>Best trails</h1><p>April 12, 2024<p>text"
        + "<p>more" * 40
        + "<h1>Best trails, sites, camps: where to find them all, the best</h1><p>August 29, 2023"
    )
    assert read(source).published == "2024-04-12"


SCHEMA_TYPES = [
    ('{"@type": "NewsArticle"}', {"newsarticle"}),
    ('{"@type": ["Person", "NewsArticle"], "name": "Ann"}', {"person", "newsarticle"}),
    (r'{"@type":[ "https://schema.org/Recipe" , "http:\/\/schema.org\/Article" ]}', {"recipe", "article"}),
    ('{"@type": [], "name": "Ann"}', set()),
    ('{"@type": ["Person", {"name": "Ann"}]}', {"person"}),
]


@pytest.mark.parametrize(("data", "types"), SCHEMA_TYPES)
def test_every_schema_type_is_found(data, types):
    assert head.read(parse_html(LD(data))).schema_types == types
