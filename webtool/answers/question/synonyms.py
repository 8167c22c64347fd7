"""General synonyms: words that a reader asks with and words that pages answer with; and irregular forms. In: a word.
Out: others.

A semicolon ends a group; every word of it stands for every other. The table knows no subject: it has the words that
questions of any kind are made of. A word may be in several groups. Words are folded as answers.words does it.
"""

from __future__ import annotations

_GROUPS = """
price cost fee charge rate expense pay paid payment pricing tariff amount usd eur;
cheap inexpensive affordable budget low-cost bargain economical; expensive costly pricey premium;
free gratis complimentary nothing; begin start launch commence open opening initiate onset kickoff started began;
end finish stop expire close closing terminate deadline cease conclude complete final;
limit maximum max most cap ceiling upper threshold exceed cutoff highest; minimum min least lowest lower;
allow permit let can enable able may accept possible;
forbid prohibit ban disallow deny reject refuse cannot not prevent block illegal;
need require must mandatory necessary compulsory obligatory required prerequisite has should; optional voluntary;
error problem issue fail failure bug fault wrong trouble exception mistake crash broken;
fix repair solve resolve mend workaround correct troubleshoot remedy;
remove delete erase drop uninstall discard clear eliminate purge exclude; add insert append include attach put join;
missing omit skip lack without exclude absent; change modify alter edit update adjust convert switch replace swap;
create make build generate produce construct write form; get obtain retrieve fetch acquire receive gain;
send submit transmit deliver post; show display print view list reveal appear see; hide conceal invisible;
choose select pick choice option prefer recommended recommend; buy purchase order shop acquire bought;
sell sale sold vendor; big large huge great bigger larger major; small tiny little compact minor smaller short;
fast quick rapid speed quickly high-speed express swift; slow slowly delay lag latency;
best top ideal excellent favorite favourite recommended better;
bad worst poor drawback disadvantage con cons downside weakness flaw negative limitation complaint;
advantage benefit pro pros upside strength positive; author writer wrote written byline posted;
publish published posted updated released issued date; new recent latest newest modern;
old former previous earlier legacy ancient; size dimension dimensions length width height measure large;
weight weigh heavy kg lb pound gram; color colour shade hue; picture image photo photograph illustration screenshot;
movie film cinema; car vehicle auto automobile; person people user individual human someone;
child kid children kids baby; elderly senior seniors older aged; doctor physician medical clinic;
job work employment position career occupation role;
company firm business corporation enterprise organization organisation; worker employee staff team colleague;
boss manager leader head chief director; money cash fund funds funding;
rule regulation policy guideline law guidelines; reason because due cause why since;
way method approach technique how procedure; step instruction instructions;
place location where situated located venue site spot; address street; near close nearby next adjacent;
distance far away kilometers miles km; phone telephone call contact number; email mail e-mail;
time hour hours duration long minute minutes period while; year annual annually yearly; month monthly; week weekly;
day daily days; often frequency frequently every times interval;
default preset standard automatically predefined initial;
setting option configuration parameter preference configure flag; folder directory path; file document;
program software application app tool; run execute launch invoke start; command instruction;
computer machine pc host laptop; website site page web; password credential passphrase;
login signin sign-in authenticate authentication logon; permission privilege rights access mode permissions;
test check verify validate confirm ensure examine; safe secure security protect protection safely;
danger risk hazard unsafe dangerous harmful; insurance cover coverage policy; guarantee warranty;
shipping delivery ship deliver shipment; refund return reimburse money-back; age old born years;
birth born birthplace; die death dead died killed passed; marry married wife husband spouse wedding;
win won winner award prize champion; lose lost loss defeat; population inhabitants residents people;
food meal dish eat; cook bake boil roast; drink beverage; ingredient ingredients; hot warm heat temperature;
cold cool chilled; refrigerator fridge refrigerate; hotel accommodation stay lodging hostel; train rail railway;
plane flight airplane fly airport; trip travel journey tour visit; battery charge charging power;
screen display monitor; memory ram storage; support compatible compatibility supported works; version release edition;
percent percentage share proportion ratio fraction; average mean typical typically usually;
increase rise grow growth raise higher gain; decrease drop fall reduce decline lower shrink; help assist support aid;
teach learn student pupil lesson course; school college university; house home apartment building residence;
tax taxes deduction irs; job vacancy hiring opening; health illness disease sick medical; sour tangy tart acidic;
taste flavor flavour; loud noise sound audio volume; quiet silent noiseless; strong powerful strength robust;
weak fragile; easy simple easily straightforward; hard difficult tough complicated;
important essential crucial key main significant primary; same equal identical equivalent;
different differ difference unlike versus vs compared; similar like alike; many several multiple numerous lots;
much lot; few little; part component piece element section portion; whole entire full complete total all;
type kind sort category class; example sample instance e.g; name called title named known;
mean means meaning define definition refers denotes; use used usage utilize apply employ using;
keep store save retain preserve hold; wait timeout pause sleep; share split divide common;
join connect link attach combine merge together; separate split divide apart; copy duplicate clone;
move transfer migrate relocate; invent invented inventor discovered discover found founded founder established;
leader president minister ruler king; war conflict battle; country nation state; city town village; river stream;
mountain hill mount peak; sea ocean coast; animal species; plant tree flower plants; garden yard; bug insect pest;
kill destroy eliminate exterminate; water liquid moisture waterproof water-resistant; material made fabric;
money income salary wage earnings revenue earn; profit margin earnings; debt loan credit borrow mortgage;
customer client buyer consumer; service support helpdesk; feature function capability functionality;
function method routine procedure; variable value; string text; array list sequence;
number count quantity amount many; request query call; response answer reply return; cancel abort revoke undo;
subscribe subscription plan membership; register signup enroll enrol sign-up registration;
apply application applicant; eligible eligibility qualify qualified; document paper form certificate;
bring carry take; wear clothes clothing dress outfit; left remaining leftover; ignore ignored skip bypass;
happen occur happens take occurs; trigger cause causes raise; repeat again retry loop; before prior earlier ahead;
after later then following afterwards; during while; always every constantly; never not; sometimes occasionally;
only just solely; except unless besides excluding; instead alternative alternatively rather replacement;
also additionally too; under below beneath less; over above more exceed exceeding; inside within;
outside beyond external; hear listen listening; talk speak say said conversation; think believe opinion consider;
like enjoy love prefer; try attempt; find locate search discover look; lost disappear vanish gone;
empty blank null none; broken damaged defective; clean wash cleaning; repair maintenance maintain;
season spring summer autumn fall winter; early earliest first; late latest last; dangerous unsafe pitfall;
accidentally inadvertently mistake accident unintentionally
"""

# The same for the other languages that readers ask in most; each group in its own language.
_OTHER_LANGUAGES = """
precio coste costo tarifa cuesta pagar; empezar comenzar inicio iniciar comienza empieza;
terminar acabar fin final termina; limite maximo tope; minimo menos; permitir poder puede permite;
necesitar requerir necesario obligatorio requisito; error problema fallo; grande mayor amplio; pequeno menor;
rapido veloz; ventaja beneficio; desventaja inconveniente; autor escrito escritor; fecha publicado;
donde lugar ubicado situado; hora horario tiempo duracion; preis kosten gebuhr kostet bezahlen euro;
anfang beginn beginnen starten start; ende enden schluss aufhoren; grenze maximum hochstens maximal;
minimum mindestens minimal; erlauben durfen konnen erlaubt gestattet; verboten untersagt;
brauchen notig erforderlich benotigen mussen pflicht; fehler problem storung; gross groß riesig; klein winzig;
schnell rasch; vorteil nutzen; nachteil schwache; autor verfasser geschrieben; wo ort befindet gelegen liegt;
dauer lange dauert zeit stunden; gegrundet gegrundete grundung; prix cout tarif payer coute;
debut commencer commence demarrer; fin terminer finit; limite maximum plafond; permettre pouvoir autorise;
besoin necessaire obligatoire requis; erreur probleme panne; avantage benefice atout; inconvenient defaut desavantage;
travailler travail; цена стоимость стоит тариф плата; начало начать начинается старт;
конец закончить окончание завершение; предел максимум ограничение лимит максимальный; минимум минимальный;
разрешить можно разрешено допускается; запрет нельзя запрещено; нужно необходимо требуется обязательно;
ошибка проблема сбой неисправность; большой крупный; маленький небольшой; быстрый скорый скорость;
преимущество достоинство плюс; недостаток минус; автор написал; где место находится расположен;
время длительность час срок; основан создан основатель; 价格 费用 价钱 收费 成本; 開始 启动 开始; 结束 截止 终止;
最大 上限 最多; 最小 下限 最少;
可以 允许 能够; 禁止 不能 不得; 需要 必须 要求; 错误 问题 故障; 优点 优势; 缺点 不足; 作者 撰写; 价格 售价;
値段 価格 料金 費用; 開始 始ま; 終了 終わ; 最大 上限; 必要 必須; 禁止 不可;
가격 비용 요금; 시작 개시; 종료 끝; 최대 상한; 최소 하한; 필요 필수; 금지 불가
"""

# Forms of one word that its spelling does not show.
_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent;
bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built;
burn burnt; buy bought; catch caught; choose chose chosen; come came; creep crept; dig dug; draw drew drawn;
dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
fight fought; find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten;
forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown;
hang hung; hear heard; hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; learn learnt;
leave left; lend lent; lie lay lain; light lit; lose lost; make made; mean meant; meet met; pay paid;
ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk;
sit sat; sleep slept; speak spoke spoken; spend spent; spin spun; stand stood; steal stole stolen; stick stuck;
strike struck stricken; swear swore sworn; sweep swept; swim swam swum; take took taken; teach taught; tear tore torn;
tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; weep wept;
win won; wind wound; write wrote written; withdraw withdrew withdrawn; man men; woman women; child children;
foot feet; tooth teeth; mouse mice; goose geese; life lives; wife wives; knife knives; leaf leaves; half halves;
shelf shelves; criterion criteria; phenomenon phenomena; medium media; datum data; analysis analyses;
index indices indexes; matrix matrices; strong strength; deep depth; wide width; high height; long length; die dying;
lie lying; tie tying
"""


def _table(groups: str) -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for one in groups.split(";"):
        group = one.split()
        for word in group:
            table.setdefault(word, {}).update(dict.fromkeys(group))
    return {word: tuple(other for other in group if other != word) for word, group in table.items()}


SYNONYMS = _table(f"{_GROUPS};{_OTHER_LANGUAGES}")
IRREGULAR = _table(_IRREGULAR)
