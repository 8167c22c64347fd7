"""What readers find written over the parts of a page that are not its text, in the languages that pages are written in.

In: a short text. Out: whether it is such a name: of links to other texts, of what is told of an author, of comments, of
what shares a page or puts it into a calendar. A line of a table is a pattern; all of the text must match.
"""

from __future__ import annotations

from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern


def _any(table: str) -> Pattern[str]:
    return patterns.compile(rf"(?i)\W*(?:{'|'.join(table.strip().splitlines())})\W*")


TEASER = _any(r"""
(?:more |other )?related (?:articles?|stories|posts?|reading|news|coverage|reads?)
(?:what to )?read (?:also|next|more|this next)
also read
up next
next (?:article|story|post|up)
(?:more|other) (?:stories|articles|news|posts|from|like this|to read|in this section|on this topic)(?:\b.{0,40})?
recommended(?: (?:for you|by\b.{0,30}|articles|stories|reading|posts|reads))?
suggested (?:articles|reading|posts)
you (?:may|might|could) (?:also )?(?:like|enjoy|be interested in).{0,20}
people also (?:read|viewed)
most (?:read|popular|viewed|shared)
trending(?: now| stories)?
popular (?:posts|articles|stories|now)
latest (?:news|articles|posts|stories|from\b.{0,30})
editor['’]?s?['’]? (?:picks?|choice)
don['’]t miss
keep reading
similar (?:articles|posts|stories)
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
相关(?:阅读|文章|新闻|推荐)
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
评论
評論
留言
コメント
댓글
""")
"""What readers say of a text."""

SERVICE = _any(r"""
\d[\d.,]* ?[km]? (?:shares?|likes?|views?|retweets?|tweets?)
share(?: this| on \w+| via \w+)?
share this (?:article|story|post|page)
tweet(?: this)?
pin it
copy link
(?:add|save) to (?:my |your )?(?:google |apple |outlook )?calendar
teilen
partager(?: sur \w+)?
compartir(?: en \w+)?
condividi
compartilhar
поделиться
分享到?
""")
"""What is to be clicked, and how many did."""

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

_TIME = r"(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{4})[T ]+\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_ZONE = r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z]\w+"
CALENDAR = patterns.compile(rf"(?i:^\W*{_TIME}.{{0,40}}{_TIME}.{{0,40}}){_ZONE}|^\W*{_ZONE}\W*$")
"""What scripts turn into an entry of a calendar: when it begins, when it ends, and the zone of both."""
