"""What readers find written over the parts of a page that are not its text, in the languages that pages are written in.

In: a short text, folded(). Out: whether it is such a name: of links to other texts, of what is told of an author, of
comments, of what shares a page or puts it into a calendar. A line of a table is a pattern; all of the text must match.
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Pattern


def _any(table: str) -> Pattern[str]:
    return patterns.compile(rf"\W*(?:{'|'.join(table.strip().splitlines())})\W*")


def folded(text: str) -> str:
    """In lower case, which takes a third of the time of patterns that ignore it; \u0130 is an i with a dot."""
    return text.lower().replace("i\u0307", "i")


TEASER = _any(r"""
(?:more |other )?(?:related|similar|helpful) (?:articles?|stories|posts?|reads?)(?:\b.{0,40})?
(?:more |other )?(?:related|suggested) (?:reading|news|coverage|links|articles|posts)(?:\b.{0,20})?
(?:what to )?read (?:also|next|more|this next)
also read
related
up next
(?:next|previous) (?:article|story|post|up|entry)
(?:vorheriger?|nächster?|voriger?) (?:artikel|beitrag|eintrag)
(?:article|billet) (?:précédent|suivant)
(?:artículo|entrada|noticia) (?:anterior|siguiente)
(?:articolo|post) (?:precedente|successivo)
(?:artigo|post|notícia) (?:anterior|seguinte)
(?:vorige?|volgende?) (?:artikel|bericht)
(?:предыдущая|следующая|предыдущий|следующий) (?:статья|новость|запись|материал|пост)
(?:poprzedni|następny) (?:artykuł|wpis)
[上下][一1](?:篇|条|條|则|則|页|頁)(?:文章|新闻|新聞)?(?: ?[:：].{0,40})?
[前次]の(?:記事|ページ)|(?:이전|다음) ?(?:글|기사)
(?:المقال|الخبر) (?:السابق|التالي)
(?:more|other) (?:stories|articles|news|posts|from|like this|to read|in this section|on this topic)(?:\b.{0,40})?
recommended(?: (?:for you|by\b.{0,30}|articles|stories|reading|posts|reads))?
if you (?:liked|enjoyed|found) this\b.{0,60}
you (?:may|might|could) (?:also )?(?:like|enjoy|be interested in).{0,40}
people also (?:read|viewed)
most (?:read|popular|viewed|shared)
trending(?: now| stories)?
popular (?:posts|articles|stories|now)
latest (?:news|articles|posts|stories|from\b.{0,30})
editor['’]?s?['’]? (?:picks?|choice)
don['’]t miss
keep reading
sponsored(?: content)?
from around the web
promoted (?:stories|content)
(?:lesen sie|lies|mehr) (?:auch|dazu|zum thema)
das könnte (?:sie|dich) auch interessieren
ähnliche artikel
weitere (?:artikel|themen|beiträge|nachrichten)
meistgelesen(?:e artikel)?
auch interessant
empfehlungen der redaktion
(?:à|a) lire (?:aussi|également)
lire aussi
articles (?:liés|similaires|recommandés)
sur le même (?:sujet|thème)
vous aimerez aussi
les plus lus
(?:lea|lee|leer) también
(?:artículos|noticias|entradas) (?:relacionad[oa]s|recomendad[oa]s)
(?:también )?te puede interesar
más (?:leídas|noticias|leído)
le recomendamos
leggi anche
articoli (?:correlati|simili)
(?:ti )?potrebbe interessar[et]i?
i più letti
leia (?:também|mais)
veja também
(?:artigos|notícias|posts) relacionad[oa]s
mais lidas
você pode gostar
lees (?:ook|verder)
gerelateerde (?:artikelen|berichten)
meest gelezen
читайте? также
похожие (?:статьи|новости|материалы)
(?:материалы )?по теме
相关(?:阅读|文章|新闻|推荐|报道|资讯|内容|视频|稿件|链接|搜索|话题|事件)|(?:此前|早前)报道
(?:[为為][您你]推[荐薦]|更多精彩|精彩(?:图集|推荐|内容|文章)|推荐(?:新闻|文章|视频)).{0,10}|延伸.{0,3}推荐
(?:热门|热点|最新|精选|本站|频道|今日|本周)(?:新闻|文章|资讯|推荐|阅读|视频|话题|搜索|排行)(?:排行)?榜?|(?:新闻|点击|阅读|评论|跟贴)排行榜?
[你您](?:可能|或许)也?会?(?:感兴趣|喜欢)(?:的.{0,4})?|(?:小编|作者)最[近新](?:文章|发布)|大家都在[看搜]
推荐阅读
延伸(?:閱讀|阅读)
相關新聞
関連記事
あわせて読みたい
おすすめ(?:記事)?
(?:관련|추천|인기) ?기사
اقرأ أيضا
موضوعات ذات صلة
קראו גם
(?:auswahl|tipps?|empfehlungen?) der redaktion
mehr (?:zum thema|dazu|aus .{1,30}|von .{1,30})
(?:das )?könnte (?:sie|dich) (?:auch )?interessieren
weiterlesen
(?:la sélection|les choix) de la rédaction
(?:notre sélection|à découvrir|à la une|dans la même rubrique|pour aller plus loin|voir aussi)
(?:recomendad[oa]s?|selección|elegidos) (?:por|de) la redacción
lo más (?:leído|visto)
(?:ver|vea) también
(?:scelti|consigliati) (?:dalla redazione|per te)
(?:leggi|vedi) anche
(?:potrebbe interessarti|ti può interessare) anche
notizie correlate
читать (?:также|далее|ещё|еще)
(?:выбор|рекомендации) редакции
(?:вам может быть интересно|рекомендуем|самое читаемое|популярное|другие новости|ещё по теме|еще по теме)
διαβάστε (?:επίσης|ακόμη|ακόμα|περισσότερα)
(?:δείτε|διάβασε) (?:επίσης|ακόμη|ακόμα)
(?:επιλογές|προτάσεις) (?:της σύνταξης|για εσάς)
σχετικά (?:άρθρα|θέματα|νέα)
(?:czytaj|przeczytaj|zobacz|sprawdź) (?:także|też|również|więcej)
(?:polecane|wybrane)(?: przez redakcję| artykuły| dla ciebie)?
(?:powiązane|podobne) (?:artykuły|tematy)
(?:čtěte|přečtěte si|čítajte) (?:také|též|aj|i)
(?:související|podobné|súvisiace) (?:články|články)
(?:läs|les) (?:också|också|även|mer|også)
læs (?:også|mere)
(?:relaterade|relaterte|relaterede) (?:artiklar|artikler|saker)
lue myös
lasi (?:arī|vēl)|saistītie raksti|skaitykite taip pat|susiję straipsniai|loe (?:ka|veel|lisaks)|seotud (?:lood|artiklid)
(?:pročitajte|pročitaj|čitajte) (?:i|još|više)|povezan[ie] (?:članci|vesti|vijesti)|preberite (?:še|tudi)|najčitanije
আরও পড়ুন|সম্পর্কিত (?:খবর|সংবাদ)|(?:یہ بھی|مزید) پڑھیں|soma (?:pia|zaidi)|basahin din
(?:kapcsolódó|hasonló) (?:cikkek|cikkeink|hírek)
(?:olvasta már|ezt is olvassa)
(?:citește|citiți) (?:și|mai mult)
articole (?:similare|recomandate)
(?:ilgili|benzer) (?:haberler|yazılar|içerikler)
ilgili haber|(?:bunlar da ilginizi çekebilir|ayrıca okuyun)
читайте також
(?:прочетете|вижте) (?:още|също)
编辑推荐|編輯推薦|猜你喜欢|热门文章|熱門文章|更多新闻|更多文章
編集部の(?:おすすめ|オススメ)|関連(?:リンク|ニュース|する記事)|人気記事|(?:こちらも|合わせて)(?:おすすめ|読みたい)
많이 본 (?:뉴스|기사)
اقرأ (?:أيضًا|أيضاً|المزيد|كذلك)
(?:اختيارات|ترشيحات) (?:المحرر|القراء)
(?:مواضيع|مقالات|أخبار) (?:ذات صلة|متعلقة|مشابهة)
(?:xem thêm|bài viết liên quan|tin liên quan|đọc thêm)
(?:baca juga|artikel terkait|berita terkait)
(?:यह|ये|इसे) भी पढ़ें|संबंधित (?:खबरें|लेख|समाचार)|और पढ़ें
(?:ข่าว|บทความ|เรื่อง|เนื้อหา)(?:ที่)?(?:เกี่ยวข้อง|แนะนำ|ล่าสุด|ยอดนิยม)|อ่าน(?:เพิ่มเติม|ต่อ|ข่าวเพิ่มเติม)
(?:xem|đọc) (?:thêm|nhiều)|tin (?:mới|nóng|cùng chuyên mục|đọc nhiều)|có thể bạn quan tâm
(?:baca|simak|lihat) (?:juga|selengkapnya)|(?:berita|artikel) (?:lainnya|populer|terpopuler|pilihan)|terpopuler
(?:(?:notícia|noticia)s? relacionadas?|(?:artículo|noticia) relacionad[oa])
(?:כתבות|ידיעות) (?:נוספות|קשורות)|עוד (?:בנושא|באותו נושא)|(?:بیشتر بخوانید|مطالب مرتبط|اخبار مرتبط)
(?:الأكثر|الاكثر) (?:قراءة|مشاهدة)|(?:nejčtenější|najčítanejšie|najczęściej czytane|ροή ειδήσεων|en çok okunanlar)
""")
"""Links to other texts."""

AUTHOR = _any(r"""
about the (?:authors?|writers?|contributors?)
meet the (?:author|writer)s?
author bio(?:graphy)?
über (?:den autor|die autorin|die autoren)
zur person
[àa] propos (?:de l['’]auteure?|des auteurs)
l['’]auteure?
sobre (?:el autor|la autora|los autores|o autor|a autora|os autores)
acerca del autor
(?:informazioni sul)?l['’]autore
over de auteur
об автор(?:е|ах)
作者(?:简介|紹介)
(?:關於|关于)作者
この記事を書いた人
著者紹介
글쓴이 ?소개
""")
"""What is told of who wrote a text."""

COMMENTS = _any(r"""
(?:(?:no|one|view|show|join|read) )?(?:all |the )?(?:\d[\d.,]* )?(?:reader )?(?:comments?|replies|responses)
(?:latest|visitor|user|reader)(?:s|['’]s|s['’])? comments
comments (?:are|have been) (?:now )?closed
(?:comments?|replies|responses) ?\(?\d[\d.,]*\)?
(?:\d+|one) (?:thoughts?|comments?|responses?|replies) (?:on|to)\b.{0,200}
leave a (?:comment|reply)
post a comment
join the (?:conversation|discussion)
(?:\d+ ?)?(?:kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties)(?: ?\(?\d+\)?)?
schreibe? einen kommentar
kommentar schreiben
laisser un commentaire
deja (?:un comentario|una respuesta)
deixe um comentário
lascia un commento
(?:\d+ ?)?комментари(?:и|ев|й)(?: ?\(?\d+\)?)?
(?:\d+ ?)?(?:σχόλια|komentarz[ey]?|komentář[eů]|komentáre|hozzászólás(?:ok)?|yorum(?:lar)?)(?: ?\(?\d+\)?)?
(?:\d+ ?)?(?:comentarii|kommentarer|kommentit|коментар[іи]?в?)(?: ?\(?\d+\)?)?
(?:\d+ ?)?(?:تعليقات|التعليقات|تعليق)(?: ?\(?\d+\)?)?
(?:\d+ ?)?(?:bình luận|komentar|תגובות)(?: ?\(?\d+\)?)?
(?:我要|全部|最新|热门|精彩|网友|发表|.{0,3}员)?(?:评论|留言|跟[帖贴])(?: ?\W?共? ?\d+ ?[条则]?)?\W?(?: ?最[热早新])*
(?:\d+ ?)?[条條则則]?(?:评论|評論|留言)(?: ?[(（]?\d+[)）]?)?
コメント
댓글
""")
"""What readers say of a text."""

SERVICE = _any(r"""
(?:image|photo|picture)s? (?:used under|courtesy of|provided by|supplied by|licen[sc]ed) .{2,60}
\d[\d.,]* ?[km]? (?:shares?|likes?|views?|retweets?|tweets?)|likes? \d+
\d[\d.,\s]*k? ?(?:people|readers) (?:have )?shared (?:this|it)
\d[\d.,\s]*(?:mil|tsd\.?|duizend|tys\.?|тыс\.?)? ?(?:mal geteilt|(?:keer|maal) gedeeld|partages?|delningar|delinger)
\d[\d.,\s]*(?:mil|tys\.?|тыс\.?)? ?(?:compartidos|condivisioni|compartilhamentos|udostępnie(?:nia|ń)|поделились)
advertisements?(?: ?[-–—] ?.{0,40})?|advertorial|(?:story|article) continues (?:below|after).{0,30}
anzeige|werbung|publicité|publicidad[e]?|pubblicità|advertentie|reklam[ae]?|annonse?|реклама|διαφήμιση|hirdetés|广告|廣告|広告|광고|إعلان
share(?: this| on \w+| via \w+)?
(?:estimated |average )?read(?:ing)? time\W+\d+ ?min.{0,12}
(?:lesezeit|(?:temps|durée) de lecture|tiempo de lectura|tempo d[ie] le(?:ttura|itura)|leestijd)\W+\d+ ?min.{0,12}
(?:czas czytania|doba čtení|lästid|okuma süresi|время (?:на )?чтени[ея])\W+\d+ ?(?:min|dk|dak|мин).{0,8}
(?:was|is|did) (?:this|the) (?:page|article|information|answer|content)? ?(?:help(?:ful|ed)?|useful|what you).{0,30}
(?:war|ist) (?:diese|dieser) (?:seite|artikel|information|antwort) (?:hilfreich|nützlich).{0,20}
(?:cette page|cet article|cette réponse) (?:vous )?a-t-(?:elle|il) .{0,16}(?:utile|aidée?) ?\?
(?:te|le|os)? ?(?:ha sido|fue|resultó) útil .{3,30}\?|(?:questa pagina|questo articolo) .{0,10}(?:utile|aiuto).{0,10}\?
(?:heeft|was) deze (?:pagina|informatie) .{0,12}(?:geholpen|nuttig|duidelijk)\?
(?:lägg (?:i|till i) varukorg(?:en)?|legg i handle(?:kurv|vogn)(?:en)?|læg i (?:indkøbs)?kurv(?:en)?|lisää ostoskoriin)
share this (?:article|story|post|page)
(?:disclosure[:.] )?(?:this|our) (?:post|page|article|site|blog|recipe) .{0,12}contains? .{0,12}affiliate link.{0,140}
(?:dieser?|der) (?:beitrag|artikel|text) enthält .{0,12}(?:affiliate|provisions|werbe)-?links?.{0,140}
(?:cet article|este (?:artículo|post|artigo)|questo articolo) cont(?:ient|iene|ém) .{0,20} (?:d['’])?af+ili.{0,140}
tweet(?: this)?
pin it
copy link
sharing is caring
字[号體体][:：]?.{0,12}|(?:font|text) size(?: .{0,12})?
(?:点击)?(?:加载|查看|展开|阅读)(?:更多|全文).{0,6}|点击(?:进入|查看|看).{0,8}(?:专题|大图|详情)
(?:load|show) more(?: \w+)?
图片均?(?:来[自源]于?|取自).{1,40}|扫码.{0,12}
.{3,40} can be reached (?:at|by|via) .{3,80}
(?:add|save) to (?:my |your )?(?:google |apple |outlook )?calendar
(?:add to|in) (?:my |the |your )?(?:cart|basket|bag|trolley)
buy (?:it )?now|(?:in den|zum) warenkorb(?: (?:legen|hinzufügen))?
ajouter au panier|añadir (?:al carrito|a la cesta)|comprar (?:ahora|agora)|aggiungi al carrello|adicionar ao carrinho
(?:in |toevoegen aan )winkelwagen|dodaj do koszyka|do košíku|(?:добавить )?в корзину|sepete ekle|στο καλάθι
カートに入れる|加入购物车|加入購物車|장바구니(?: 담기)?|أضف إلى السلة
(?:(?:diesen )?artikel )?(?:anhören|vorlesen)(?: .{0,20})?|écouter (?:cet |l['’])article|listen to this article
(?:visite|accessi|hits|zugriffe|aufrufe|vistas|visitas|visualizações|affichages)[ :]+\d[\d.,]*
(?:просмотр(?:ов|ы)|wyświetleń|odsłon[ay]?|浏览|閱讀|조회(?:수)?)[ :：]+\d[\d.,]*
(?:(?:diesen )?(?:artikel|beitrag) )?teilen(?: (?:auf|mit|per|via) \w+)?
partager(?: (?:sur \w+|(?:cet |l['’])article))?
compartir(?: (?:en \w+|(?:este )?artículo|en redes))?
condividi(?: (?:su \w+|(?:l['’]|questo )?articolo))?
compartilh(?:ar|e)(?: .{1,20})?
поделиться(?: (?:статьёй|статьей|новостью|ссылкой|в соцсетях))?
udostępnij(?: (?:artykuł|na \w+))?
κοινοποίηση(?: άρθρου)?
sdílet(?: článek)?
dela(?: (?:artikeln|på \w+))?
deel(?: dit artikel)?
paylaş
megosztás
分享(?:到.{0,6}|至.{0,6}|文章)?
(?:(?:この)?(?:記事|ニュース)を)?(?:シェア|ツイート|ポスト)(?:する)?(?:[\s・|]+(?:シェア|ツイート|ポスト|lineで送る)(?:する)?)*
(?:この記事は)?(?:有料|会員限定|有料会員限定)(?:記事)?です。?(?:残り[:：]?\s?\d+\s?文字)?
공유하기
reply(?: with quote| to this(?: (?:post|message|topic))?)?
(?:mit zitat )?antworten|zitieren|répondre|citer|responder|citar
rispondi|cita|beantwoorden|citeren|odpowiedz|cytuj|ответить(?: с цитированием)?|цитировать
回复|回覆|返信(?:する)?|답글(?: ?달기)?
(?:found|spotted|noticed) (?:a |an )?(?:typo|error|mistake)\?.{0,80}
(?:fehler|tippfehler) (?:gefunden|entdeckt)\?.{0,80}
(?:нашли|заметили) (?:ошибку|опечатку)\?.{0,80}
(?:подписывайтесь|подпишитесь) на (?:наш|нас|канал)\b.{0,80}
شارك(?: المقال| الخبر| على .{1,12})?
""")
"""What is to be clicked, and how many did."""

CALL = _any(r"""
subscribe(?: now| today| here| for free)?
(?:subscribe|sign up)(?: now| today| here| for free)? (?:to|for) .{0,30}(?:newsletters?|updates|digest|list).{0,20}
(?:join|get) (?:our|the) (?:newsletter|mailing list).{0,20}
(?:our |the )?newsletter
donate(?: now| today| here)?
make a (?:donation|gift)
support (?:us|our (?:work|journalism|reporting)|(?:independent|local|quality) journalism)
(?:did you (?:make|try)|tried|made) (?:this|it)(?: recipe)?
(?:hast du|haben sie) (?:das|dieses|dies) (?:rezept )?(?:ausprobiert|nachgekocht|nachgebacken)
(?:vous avez|avez-vous|tu as) (?:essayé|testé|réalisé|fait) cette recette
(?:has|habéis) (?:probado|hecho) esta receta|(?:hai|avete) (?:provato|fatto) questa ricetta|(?:fez|testou) esta receita
become a (?:member|supporter|patron|subscriber)
every (?:gift|donation|penny|dollar|pound) (?:helps|counts|matters)
(?:give|donate) (?:monthly|once|regularly)
(?:already a (?:subscriber|member)\??|subscribers only)(?: .{0,30})?
(?:continue|keep|start) reading (?:with|for|by) .{1,60}|(?:jetzt )?weiterlesen mit .{1,60}
(?:jetzt )?(?:spenden|unterstützen|abonnieren|abo abschließen)
(?:zum |unseren? )?newsletter (?:jetzt )?(?:abonnieren|bestellen|anmelden|anmeldung).{0,20}
(?:unterstützen sie|unterstütze) (?:uns|unsere arbeit).{0,20}
(?:s['’](?:inscrire|abonner)|inscrivez-vous|abonnez-vous)(?: .{0,30}(?:newsletter|infolettre|lettre).{0,10})?
(?:je )?(?:fais|faire|faites) un don
(?:soutenez|soutenir)(?:-nous| notre .{0,20})
suscríb[ea](?:te|se).{0,30}
(?:quiero )?suscribir(?:me|se)
hazte soci[oa]
(?:haz una )?(?:dona|donación|donar)(?: ahora)?
apóyanos
(?:iscriviti|abbonati)(?: .{0,40})?
dona ora
sostienici
assine(?: .{0,30})?
(?:doe agora|apoie-nos)
(?:подписаться|подпишитесь)(?: на .{0,30})?
поддерж(?:ать|ите) (?:нас|редакцию|проект)
wesprzyj (?:nas|redakcję)
zapisz się(?: na newsletter)?
(?:εγγραφή|εγγραφείτε) .{0,20}newsletter
στηρίξτε μας
(?:meld je aan|schrijf je in) .{0,40}nieuwsbrief
(?:doneer(?: nu)?|steun ons)
(?:prenumerera|tilmeld|meld deg på) .{0,30}(?:nyhetsbrev|nyhedsbrev).{0,10}
(?:støt os|stöd oss)
(?:abone ol|bağış yap|feliratkozás|podpořte nás|přihlásit k odběru).{0,20}
(?:立即|我要)?(?:捐助|捐款|赞助|贊助)
(?:免费|免費|立即)?(?:订阅|訂閱).{0,10}
寄付する
(?:無料で|メルマガ)登録(?:する)?
(?:구독|후원)하기
اشترك (?:مجانا|الآن|في .{0,20})
ادعمنا(?: الآن)?
تبرع(?: الآن)?
""")
"""What a box asks for: an address to write to, or money."""

ACCEPT = _any(r"""
(?:ok[,.]? ?)?(?:i )?(?:accept|agree|allow|consent)(?: (?:all|and \w+))?(?: cookies)?
got it|ok(?:ay)?|(?:reject|decline|deny)(?: all)?
(?:alle |cookies )*(?:akzeptieren|annehmen|zulassen|erlauben|ablehnen)|zustimmen|einverstanden|verstanden
(?:ok,? )?tout (?:accepter|refuser)|(?:j['’])?accepter?(?: .{3,20})?|aceptar?(?: .{3,20})?|de acuerdo|entendido
aceit(?:o|ar)(?: .{3,20})?|concordo|accett[oa](?: .{3,20})?|ho capito|(?:alles |cookies )*accepteren|akkoord
(?:godkänn|acceptera|godta|accepter|tillåt|tillad)(?: alla?| alle)?(?: (?:cookies|kakor))?|hyväksy(?: kaikki)?
(?:za)?akceptuj[eę]?(?: .{3,20})?|zgadzam się|rozumiem|souhlasím|přijmout(?: vše)?|elfogad(?:om|ás)|acceptă?(?: toate)?
принять(?: все)?|соглас(?:ен|на)|понятно|αποδοχή(?: όλων)?|(?:tümünü )?kabul (?:et|ediyorum)
同意(?:する|します|して.{1,6})?|(?:すべて)?許可(?:する)?|(?:全部)?(?:接受|同意)(?:全部|所有)?
(?:모두 )?(?:동의|허용)(?:합니다)?|(?:أ?وافق|قبول)(?: الكل)?
""")
"""What is to be clicked before a site may keep cookies."""
CREDIT = patterns.compile(
    r"(?i)\W*(?:photo(?:s|graphs?)?|photography|image|picture|foto(?:s|grafía|grafie)?|bild|fot\.|zdjęcie|"
    r"crédits?(?: photos?)?|crédito|credit|фото|φωτ(?:ογραφία|ο)|摄影|攝影|"
    r"图片(?:来源)?|圖片(?:來源)?|图源?|写真|撮影|사진|تصوير|الصورة)"
    r"(?: (?:credits?|source|courtesy|by|crédits?|de|von|di))?\W{0,2}[:：=|/©](?! ?\d).{1,80}"
)
"""Who took a picture."""
CREDITED = patterns.Worded(
    "photo|foto|fot|ima|picture|bild|crédit|credit|фото|사진|撮影|提供|摄|攝",
    r"(?i)(?:[\u2014\u2013|(\uff08=\uff1d]\s*|[.\u3002\u300d\"\u201d] )(?:photo|foto|image|picture|imagen|imagem|bild|"
    r"fot|crédits?(?: photos?)?|credit|фото|사진)(?:graf\w*|s)?(?:\W{0,2}[:=\uff1a](?! ?\d)|"
    r" (?:by|courtesy|von)\b).{2,50}$|(?:撮影|提供)[)）]?$|[\u4e00-\u9fff]{2,12}\s?(?:摄[)）]?|攝[)）]?)$",
)
"""The same behind what it shows."""
MOST_LINE = 220
"""Characters of a line that tells how to follow a site, whom a text belongs to, or what a picture shows."""

PRODUCTS = _any(r"""
(?:people|customers|shoppers|others?|users|guests) .{0,44}(?:viewed|bought|liked?|searched|purchased|loved?).{0,25}
(?:explore |shop |compare (?:with )?)?(?:similar|related|sponsored) (?:products?|items?|searches|styles|brands).{0,30}
(?:recommended|suggested) (?:products?|items?|styles).{0,30}
products? related to .{0,20}
you (?:may|might|could|['’]?ll)\b.{0,20}(?:like|love|interested|need).{0,15}
(?:our )?recommendations(?: for you)?
recommended(?: for you)?
(?:frequently|often) (?:bought|viewed|purchased).{0,30}
(?:your )?recently viewed.{0,20}
consider (?:these|this|a similar).{0,30}
how about these
more from .{1,30}
complete (?:the|your) (?:look|set|outfit)
pair (?:it )?(?:well )?with
goes (?:well |great |perfectly )?with.{0,20}
shop the look
best ?sellers
new arrivals
(?:ähnliche|passende|verwandte|weitere) (?:produkte|artikel)
kunden .{0,30}(?:kauften|gekauft|gesehen|angesehen).{0,20}
(?:wird )?(?:oft|häufig) zusammen gekauft
das könnte (?:ihnen|dir) (?:auch )?gefallen
zuletzt (?:angesehen|gesehen).{0,20}
produits? (?:similaires?|associés?|complémentaires|recommandés)
(?:les clients|ils) .{0,30}(?:acheté|consulté|aimé).{0,20}
(?:vous aimerez|cela pourrait vous plaire) ?(?:aussi)?
productos? (?:relacionados?|similares?|recomendados)
(?:también )?te (?:puede|podría) gustar.{0,15}
(?:los )?clientes .{0,30}(?:compraron|vieron).{0,20}
prodotti (?:correlati|simili|consigliati)
potrebbe(?:ro)? (?:anche )?piacerti.{0,10}
produtos (?:relacionados|semelhantes|recomendados)
(?:gerelateerde|vergelijkbare|aanbevolen) producten
(?:podobne|powiązane|polecane) produkty
(?:andra|andre)(?: kunder)? (?:köpte|tittade|kjøpte|købte|så) .{2,20}
(?:relaterade|relaterte|relaterede|lignende|liknande) produkt(?:er)?
klienci .{0,30}(?:kupili|oglądali).{0,20}
(?:похожие|рекомендуемые|сопутствующие) товары
с этим товаром .{0,20}покупают
вы (?:недавно )?(?:смотрели|просматривали)
関連商品
おすすめ商品
この商品を.{2,12}た人は.{0,30}
(?:相关|相關|推荐|推薦)(?:产品|商品|產品)
猜你喜欢
看了又看
(?:관련|추천) ?상품
منتجات (?:ذات صلة|مشابهة|مقترحة)
قد يعجبك (?:أيضا|أيضاً)
""")
"""What else a shop sells."""

REVIEWS = _any(r"""
(?:(?:customer|product|user|verified|guest|global|our|top|\d[\d.,]*|ratings?|and|&) ){0,4}(?:reviews?|ratings?)
(?:(?:customer|product|user) )?(?:reviews?|ratings?) (?:for|from|of|summary|and|&)\b.{0,60}
(?:(?:customer|product|user) )?(?:reviews?|ratings?) ?\(.{0,10}\)?
what (?:our )?(?:customers|people|buyers|others) (?:say|are saying|think).{0,20}
(?:\d+ )?(?:kunden|produkt)?(?:bewertungen|rezensionen|meinungen)(?: (?:zu|für|von)\b.{0,60})?
(?:vos |les |tous les )?(?:avis|commentaires|évaluations)(?: (?:clients?|vérifiés|sur\b.{0,60}))?
(?:opiniones|reseñas|valoraciones)(?: (?:de|sobre)\b.{0,40})?
(?:recensioni|avaliações|(?:klant)?beoordelingen|opinie|отзывы)(?: .{0,30})?
(?:カスタマー)?レビュー(?:一覧)?|(?:商品|用户|顾客)?(?:评价|评论)|(?:상품 ?)?(?:후기|리뷰)|التقييمات|آراء العملاء
""")
"""What buyers say."""

_NETWORKS = (
    *"telegram whatsapp google viber facebook instagram twitter youtube linkedin pinterest reddit tumblr".split(),
    *"tiktok mastodon bluesky spotify канал дзен вконтакте 微信 微博".split(),
)
_FOLLOWING = patterns.compile(
    r"(?i)(?:^(?:please )?follow (?-i:@?[A-Z]\w*(?: [A-Z]\w*){0,3}|h[ei][rm]) on\b|"
    r"\b(?:follow|like|join)\b.{0,12}\b(?:us|our)\b|\bfind us on\b|\bas a preferred source\b|"
    r"\b(?:folg|abonnier)\w+ (?:sie )?uns|\b(?:tag|mention|identifi|etiquet|markier|tagg)\w* .{0,12}@\w|"
    r"^.{0,40}(?:app store\b.{0,24}google play|google play\b.{0,24}app store).{0,9}$|"
    r"(?:suivez|retrouvez|rejoignez)[- ]nous|(?:suivez|rejoignez) notre|s[íi]guenos|"
    r"[úu]nete a|segui(?:teci|ci|-nos| .{0,12}nostr)|siga[- ]|"
    r"seguici|iscriviti al|participe d|inscreva-se|\bvolg ons|\bfølg oss|følj oss|obserwuj nas|dołącz do|"
    r"(?:читайте|подп(?:исывайтесь|ишитесь)|присоединяйтесь).{0,25}(?:нас|наш|канал)|ακολουθήστε|βρείτε μας|"
    r"(?:kanal|grub|bizi|sayfa).{0,20}(?:katıl|takip|abone)|关注(?:我们|本|公众号)|關注我們|フォロー|公式アカウント|팔로우|تابعونا|انضم)"
)
"""Where a site is besides, and what asks to follow it there."""
_RIGHTS = patterns.Worded(
    "riprodu|rights|rechte|droits|derechos|direitos|права|prawa|hakları|転載|전재|轉載|转载|转发|書面|书面|責任編輯|责任编辑|责编|编辑|使用|"
    "二维码",
    r"(?i)^\W*(?:©.{0,30})?riproduzione riservata|\ball rights reserved\b|\balle rechte vorbehalten\b|"
    r"tous droits réservés|"
    r"todos (?:los derechos|os direitos) reservados|все права защищены|wszelkie prawa zastrzeżone|tüm hakları saklıdır|"
    r"無断転載|무단 ?전재|未[经經].{0,12}(?:转载|轉載|使用)|(?:责任编辑|責任編輯|责编) ?[:：|]|"
    r"^\W*编辑(?:[:：|]| \S{2,4} 校[对對])|^.{0,40}(?:转载|转发|轉載)请?[注註联]|"
    r"扫.{0,6}二维码|二维码.{0,6}[关關][注註]|长按.{0,10}二维码",
)
"""Whom a text belongs to, who edited it, and which code leads to the site's account."""
DISCLAIMER = patterns.Worded(
    "声明|聲明|代表|views|opinion|ansicht|meinung|propos|opinião|opiniões|мнени|الآراء|見解|個人|notice",
    r"(?i)^\W*(?:(?:特别|特別|免[责責]|[郑鄭]重|版[权權])[声聲]明|[声聲]明[:：].{0,80}(?:仅供参考|不代表|转载)|"
    r"(?:本文|文章|以上).{0,20}(?:仅|僅|只|并?不)代表.{0,20}(?:[观觀][点點]|立[场場])|notice: the content above|"
    r"(?:the )?(?:views|opinions)(?: and (?:views|opinions))? (?:expressed|presented|stated)\b.{0,90}"
    r"\b(?:are|do not|belong)\b|"
    r"die .{0,40}(?:geäußerten?|dargestellten?) (?:meinung|ansicht)(?:en)?\b.{0,80}(?:autor|redaktion|wider)|"
    r"les (?:opinions|propos) exprimés?\b.{0,80}(?:auteur|engagent|reflètent)|"
    r"las opiniones (?:expresadas|vertidas)\b.{0,100}(?:autor|reflejan)|"
    r"as opiniões expressas\b.{0,100}(?:autor|refletem)|"
    r"le opinioni espresse\b.{0,100}autor|мнение (?:автора|редакции) .{0,24}не (?:совпада|отража)|"
    r"الآراء الواردة .{0,60}تعبر|本(?:記事|稿)の(?:内容|見解)は.{0,40}(?:見解|個人))",
)
"""What a site says so that nobody takes a text for its own opinion."""
MOST_DISCLAIMER = 400
"""Characters of such a line."""
AMENDED = patterns.Worded(
    "vers|fassung|amended|corre|clarif|korrektur|richti|rectif|précision|err|aclaraci|rettifica|precisazione|retifica|"
    "rättelse|rettelse|retting|korekta|sprostowanie|wersji|исправлен|поправк|уточнен|версии|düzelt|訂正|更正|"
    "바로잡|정정|تصحيح",
    r"(?i)^\W*(?:(?:an? |in an? )?(?:earlier|previous) version of th|"
    r"this (?:article|story|essay|piece|report|post|column|page)\b.{0,12} (?:was|has been) (?:amended|corrected)|"
    r"(?:in einer )?(?:frühere|vorherige|ältere)[nr]? (?:version|fassung)|"
    r"(?:dans )?une (?:première|précédente) version d|in een (?:eerdere|vorige) versie|"
    r"(?:en |em |in )?una? (?:versi[óo]n|vers[ãa]o|precedente versione|versione precedente)\b|"
    r"i en (?:tidigare|tidligere) vers(?:ion|jon)|w (?:poprzedniej|wcześniejszej) wersji|"
    r"в (?:предыдущей|прежней) версии|"
    r"(?:corrections?|clarifications?|berichtigung|korrektur|richtigstellung|rectificati[fe]|correctif|erratum|précision|corrección|"
    r"fe de err(?:at|or)[ea]s|rectificación|aclaración|errata(?: corrige)?|rettifica|correzione|precisazione|correção|"
    r"retificação|correctie|rättelse|rettelse|retting|sprostowanie|korekta|исправление|поправка|уточнение|düzeltme|訂正|更正|"
    r"바로잡습니다|정정|تصحيح)\b[^:.]{0,40}[:：】])",
)
"""What a newspaper says that it had wrong, and has put right."""
PATH = patterns.compile(r"(?:.{0,8}[:：] ?)?[^<>»›.!?。]{1,24}(?:\s*(?<![-=])[>»›]+\s*[^<>»›.!?。]{1,40}){1,6}[>»›]?")
"""Where a page is in its site, in a line above its text."""
_TIME = r"(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{4})[T ]+\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_ZONE = r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z]\w+"
CALENDAR = patterns.Worded("/", rf"(?i:^\W*{_TIME}.{{0,40}}{_TIME}.{{0,40}}){_ZONE}|^\W*{_ZONE}\W*$")
"""What scripts turn into an entry of a calendar: when it begins, when it ends, and the zone of both."""


_ASKING = r"""
\b(?:in|to) your (?:\w+ )?(?:e-?mail|in-?box)
\b(?:sign(?: up)?|subscribe|join|get|receive)\b.{0,60}\b(?:newsletters?|mailing list)\b
\bnewsletters?\b.{0,60}\b(?:sign up|subscribe|join|deliver|inbox)
\b(?:support|fund|sustain) (?:us\b|our (?:work|mission|journalism|reporting)|independent|(?:[\w-]+ )?journalism)
\bbecome a (?:member|supporter|subscriber|patron)\b
\bdownload (?:our|the) (?:\w+ )?app\b
(?:lade[nt]? (?:sie )?unsere|ladda ner vår|last ned vår|hent vores|download onze|téléchargez notre) app
(?:descarga nuestra|scarica la nostra|baixe (?:o )?nosso|pobierz naszą) app
spendenkonto|jetzt (?:online )?spenden|mitglied werden|werden sie (?:jetzt )?mitglied
bliv medlem|meld dig ind|støt (?:os|vores)|bli medlem|støtt oss|stöd (?:oss|vår)
prenumerata (?:cyfrowa|online)|zostań (?:patronem|członkiem|subskrybentem)
word (?:nu |ook )?(?:lid|abonnee|donateur)\b|neem een abonnement
devenez (?:adhérent|membre|abonné|donateur)|diventa (?:socio|membro|sostenitore)|torne-se (?:sócio|membro|assinante)
\byour (?:support|donation|contribution|gift)\b.{0,60}\b(?:help|make|keep|allow|enable|mean)
\bdonate (?:today|now|here|to us|via)
\bevery (?:gift|donation) (?:helps|counts|matters)|\bwill you (?:give|donate|chip in)
[$£€]\d+ could (?:pay|buy|help|fund|provide)\b
\b(?:unlimited|full|digital) access\b.{0,60}\b(?:articles?|stories|month|week|free|subscri)
\bctrl ?\+ ?enter\b
\bfor subscribers only\b|\balready a subscriber\b
tax-deductible
affiliate[- ](?:links?|commission|partner|disclosure)
(?:erhalten|bekommen|verdienen) wir (?:eine |ggf\. )?(?:kleine )?provision
earn (?:a |an |us a )?(?:small |affiliate )?commission
(?:from )?qualifying purchases
(?:in|an) (?:ihre?[mn]?|deine?[mn]?) (?:mail-?)?(?:postfach|posteingang|e-mail)
jederzeit (?:kündbar|abbestell|abmeld|widerruf)
newsletter .{0,60}(?:anmelden|abonnieren|bestellen|erhalten|kostenlos)
(?:brauchen|benötigen) wir (?:ihre|deine|eure) (?:hilfe|unterstützung|spende)
mit (?:ihrer|deiner|eurer|einer) (?:spende|unterstützung)
unterstütz(?:en sie|e|t) (?:uns|unsere|den|mit)
(?:zugriff|zugang) (?:auf|zu) (?:alle[nm]?|sämtliche[nm]?) (?:artikel|inhalte)
(?:nur|exklusiv) für abonnent|(?:den|im) (?:ersten|probe-?)\s?monat (?:gratis|kostenlos|für)
(?:dans|sur) votre (?:boîte|messagerie|e-?mail)
(?:inscrivez|abonnez)-vous|recevez (?:chaque|toute|gratuitement|nos|notre|l['’]essentiel)|je m['’](?:inscris|abonne)
(?:recibe|recibir) (?:cada|gratis|nuestr|las noticias)|ricevi (?:ogni|gratis|le notizie|le ultime)
receba (?:as|nossa|gratis|todos)
erhalten sie (?:täglich|jeden|wöchentlich|kostenlos)
(?:vos dons|votre (?:don|soutien))\b
fai(?:tes|re) un don|déductibles? .{0,20}impôts
soutenez(?:-nous| notre| (?:un journal|la presse))
(?:article|contenu)s? réservés? aux abonnés|accès illimité|accédez à (?:tous|l['’]intégralité)
(?:a|en) (?:tu|su) (?:correo|bandeja|e-?mail|buzón)
suscríb(?:ete|ase)
(?:con )?(?:tu|su) (?:aportación|donación|donativo)
acceso ilimitado|exclusiv[oa] (?:para|de) suscriptores
(?:haz|haga) (?:una|tu) (?:donación|aportación)
apoya (?:nuestro|el periodismo)|ap[óo]yanos|hazte soci|cuotas de nuestr
(?:no|em) seu e-?mail|sua (?:doação|contribuição)|apoie (?:o|a|nosso)
accesso illimitato|(?:articolo|contenuto) riservato agli abbonati
nella tua (?:casella|mail|e-?mail|posta)|iscriviti|fai una donazione|sostieni (?:il|la|ci\b)
in (?:je|uw) (?:mailbox|inbox)|(?:jouw|uw|je) (?:steun|donatie|gift)|steun ons
na (?:swoją|twoją) (?:skrzynkę|pocztę)|zapisz się (?:na|do)|wesprzyj
на (?:вашу )?(?:электронную )?почту|в одном письме|отписаться|подпи(?:шитесь|сывайтесь) на
(?:вашей|ваша|вашу) поддержк|поддержите (?:нас|редакцию|проект|издание)|пожертвовани.{0,40}(?:нам|помога)
підпи(?:шіться|суйтесь)|підтримайте
få (?:fuld |full )?(?:adgang|tillgång|tilgang) til(?:l)? (?:alle?|alla|hele)\b
i din (?:inkorg|indbakke|innboks)|do (?:vašeho|vaší) (?:e-?mailu|schránky)|στο e-?mail σας|εγγραφείτε
e-?posta (?:adresinize|kutunuza)|abone olun
[发發]?送?[到至]您?的?(?:邮箱|郵箱|信箱)|(?:订阅|訂閱)(?:我们|我們|本刊|电子报|電子報)|(?:支持|赞助|贊助|捐).{0,12}元|(?:关注|關注).{0,10}(?:公众号|公眾號)
登録は?無料|いつでも解除|(?:メルマガ|ニュースレター).{0,20}(?:お届け|登録|配信|購読)|ご(?:支援|寄付).{0,12}(?:お願い|ください)
메일로 (?:보내|받아)|뉴스레터.{0,60}(?:구독|신청|보내드|받아)
(?:후원|구독)(?:이|을|으로|해).{0,20}(?:주세요|만듭니다|부탁)
إلى بريدك|اشترك في|دعم قرائ|ساهم ب|تبرع الآن
הירשמו|למייל שלך|תרומתכם
(?:langsung di|unduh|aplikasi).{0,30}ponsel|ikuti (?:kami|saluran)|(?:ऐप|एप) डाउनलोड करें|ดาวน์โหลดแอป|đăng ký nhận
(?:veja|assista|confira) os vídeos
"""
ASKING = patterns.Worded(
    "ctrl|every gift|every donation|will you |could pay|could buy|could help|could fund|could provide|access|"
    "subscriber|abonn|abbonati|acceso|suscriptor|accès|accédez|accesso|gift|adgang|tillgång|tilgang|zugriff|zugang|"
    "monat |your|newsletter|support|fund|sustain|donate|tax-deductible|affiliate|commission|qualifying purchases|"
    "journalism|become a |app|spenden|mitglied|medlem|meld dig|støt|stöd|prenumerata|zostań|word |neem een|devenez|"
    "diventa|torne-se|mail|postfach|posteingang|jederzeit| wir |spende|unterstütz|tre |-vous|s dons| un don|"
    "recevez|je m|recib|ricevi|receba|erhalten sie|yanos|cuotas|déductible|soutenez|"
    "correo|bandeja|buzón|suscríb|aportación|donación|donativo|apoya |hazte soci|doação|contribuição|apoie|nella tua|"
    "iscriviti|fai una donazione|sostieni|inbox|steun|donatie|skrzynkę|pocztę|zapisz się|wesprzyj|почту|в одном письме|"
    "отписаться|подпи|поддерж|пожертвовани|під|i din |vaš|εγγραφείτε|posta |abone olun|"
    "邮箱|郵箱|信箱|订阅|訂閱|元|关注|關注|登録|いつでも解除|メルマガ|ニュースレター|支援|寄付|메일로|뉴스레터|후원|구독|"
    "بريدك|اشترك في|دعم قرائ|ساهم ب|تبرع الآن|הירשמו|למייל שלך|תרומתכם|"
    "ponsel|ikuti|डाउनलोड|ดาวน์โหลด|đăng ký|vídeos|provision",
    "|".join(_ASKING.strip().splitlines()),
)
"""What asks for an address or money, says who pays, or what a click earns, anywhere in a few folded lines."""


def _is_service(text: str) -> bool:
    if SERVICE.fullmatch(folded(text[:200])) or CREDIT.fullmatch(text[:160]) or CALENDAR.search(text[:300]):
        return True
    if len(text) > MOST_LINE:
        return False
    lower = text.lower()
    for one in (_RIGHTS, CREDITED):
        if one.may_be_in(lower) and one.pattern.search(text):
            return True
    for name in _NETWORKS:
        if name in lower:
            found = sum([one in lower for one in _NETWORKS])
            is_row = found > 2 and "," not in text and text.count(" ") < 4 * found  # nothing but where to share
            return is_row or bool(_FOLLOWING.search(text))
    return False


IS_SERVICE = Remembered(_is_service)
"""Whether a line is there to be clicked, names who took a picture, or is an entry of a calendar. Sites and lists say
the same again and again."""


_LABELS = (("call", CALL), ("teaser", TEASER), ("author", AUTHOR), ("comments", COMMENTS))


def _label(text: str) -> str:
    text = folded(text)
    for name, pattern in _LABELS:
        if pattern.fullmatch(text):
            return name
    return ""


LABEL = Remembered(_label)
"""What a short text is the label of: call, teaser, author, comments, or ""."""
