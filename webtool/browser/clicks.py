"""Click what shows more of a loaded page and does no harm: "reject cookies", and "show more" in the main text.

In: a tab at rest whose options allow clicks. Out: the page after them, and a note that names each label clicked.

Only two tasks exist: REFUSE refuses consent in a dialog that speaks of cookies; MORE shows text that the page folds.
A control is clicked only if all it can do by itself is to run the page's own handlers. It is not a link with an address
and no button that sends a form. If a handler tries to lead the page elsewhere or to open a window, tab.py refuses that.
The click grants no user activation (HTML Standard, "activation notification"), so the page gains no rights. Each task
runs twice in an isolated world: a trial that only lists the controls, then the clicks. After each click the page may
load for CLICK_WAIT seconds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

from webtool.browser import scripts
from webtool.browser.cdp import NoAnswer, ProtocolError
from webtool.browser.reading import Reader
from webtool.lean.typing import Any

MAX_REFUSAL_CLICKS = 1  # clicks of "reject" in one page
MAX_MORE_CLICKS = 5  # clicks of "show more" in one page
MAX_CONSENT_FRAMES = 5  # frames that are searched for a consent dialog
CLICK_ANSWER = 1.0  # seconds for the page's click handlers; then they are ended
CLICK_WAIT = 4.0  # seconds to load what a click started

REFUSE, MORE = "refuse", "more"  # the two tasks

_MAX_LABEL = 60  # characters; a longer text is a sentence, not a label
_MAX_DIALOG = 6000  # characters; a box with more text is the page itself, not a dialog

# Labels that refuse consent: "Reject all" is clicked. Up to eight letters may follow (refuse, refused, refuses). The
# _JOINED variants are for scripts without spaces between words, or where prefixes are joined to words.
_REFUSALS = (
    "reject|refuse|declin|deny|disagree|opt out"
    "|do not (?:accept|agree|allow|consent)|don't (?:accept|agree|allow|consent)"
    "|without accept|without agree|without consent|no thanks|(?:necessary|essential|required) (?:cookies )?only"
    "|(?:only|just) (?:strictly )?(?:necessary|essential|required)"
    "|ablehn|lehne ab|verweiger|nicht (?:akzeptier|zustimm|einverstanden)|ohne (?:zustimm|einwillig|akzeptier)"
    "|nur (?:technisch |unbedingt )?(?:notwendig|erforderlich|essenziell)"
    "|refuser|rejeter|sans accepter|ne pas accepter"
    "|(?:uniquement|seulement) (?:les )?(?:cookies )?(?:nécessaires|essentiels)"
    "|rechaz|deneg|no (?:aceptar|acepto)|sin aceptar|(?:solo|sólo) (?:las |cookies )?(?:necesari|esencial)|rebutja"
    "|rejeit|recus|não aceit|sem aceitar|(?:apenas|só) (?:os |cookies )?(?:necessári|essencia)"
    "|rifiut|nega\\b|senza accettare|non accett|(?:solo|soltanto) (?:i )?(?:cookie )?(?:necessari|essenziali|tecnici)"
    "|weiger|afwijz|niet (?:akkoord|accepter)|alleen (?:strikt )?(?:noodzakelijk|functione)"
    "|odrzu|odmow|odmaw|odmów|nie zgadzam|nie akceptuj|tylko niezbędn|bez akceptacji"
    "|avvisa|neka|avböj|(?:endast|bara) nödvändig|afvis|nej tak|kun nødvendig|avvis|avslå|bare nødvendig"
    "|hylkää|kiellä|vain välttämättöm|vain tarpeell"
    "|odmít|odmiet|nesouhlas|nesúhlas|pouze nezbytn|jen nezbytn"
    "|iba nevyhnut|zavrni|odbij|odbaci|samo nužn|samo neophodn|samo nujn"
    "|elutasít|csak a szükséges|refuz|respinge|doar necesare"
    "|atmest|noraid|keeldu|απόρριψ|απορρίπτ|μόνο (?:τα )?απαραίτητα"
    "|reddet|yalnızca (?:gerekli|zorunlu)|отклон|отказ|только необходим|відхил|відмов|лише необхідн|từ chối|tolak"
)
_REFUSALS_JOINED = (
    "拒否|同意しない|必要なもののみ|拒绝|拒絕|不同意|仅必要|僅必要|거부|동의하지|필수만|رفض|דחה|דחייה|ปฏิเสธ"
)
# Words that exclude a label: "Reject and subscribe" is not clicked. They consent, subscribe, pay, log in or configure.
_NEVER = (
    "accept|agree|allow|akzeptier|zustimm|einverstanden|erlaub|autoris|acept|aceit"
    "|permit|permet|accett|acconsent|akkoord|toestaan|akceptuj|zgadzam|godkän|tillåt|godta|tillad|hyväksy|salli"
    "|přijm|souhlasím|prijať|súhlasím|elfogad|αποδοχ|αποδέχ|kabul"
    "|прин(?:ять|има)|соглаш|согласен|прийня|погодж|đồng ý|setuju"
    "|subscri|abonn|abo\\b|pay|kauf|buy|purchas|order|suscri|assin|abbon|log ?in|sign ?(?:in|up)|anmeld|regist|konto"
    "|account|settings|manage|customi[sz]e|policy|learn more"
)
_NEVER_JOINED = "同意する|許可|同意并|接受|允许|允許|동의함|허용|موافق|أوافق|אישור|הסכמ"
# Words that the text of a consent dialog has. A label in a box without any of them is not clicked.
_ABOUT = (
    "cookie|consent|gdpr|dsgvo|rgpd|einwilligung|consentement|consentimiento|consentimento|consenso|ciastecz|zgod"
    "|evästee|kakor|informasjonskaps|süti|sütik|çerez|piškot|kolačić|slapuk|sīkdat|küpsis|súbory cookie"
    "|куки|файлы cookie|согласи|згод|クッキー|同意|쿠키|동의|ملفات تعريف|כוכיות|עוגיות|คุกกี้"
)
# Labels that show more of the main text: "Show 12 more", "Continue reading".
_MORES = (
    "(?:show|see|view|read|load) (?:\\d+ )?more|(?:show|see|view|read) (?:all|full|the full|the rest|the whole)"
    "|continue reading|keep reading|read on|expand|more\\b"
    "|(?:\\d+ )?(?:weitere|mehr) (?:\\p{L}{1,20} )?(?:anzeigen|lesen|laden|zeigen)"
    "|mehr$|weiterlesen|weiter lesen|alles? (?:anzeigen|lesen)"
    "|ausklappen|lire (?:la suite|plus)"
    "|(?:afficher|voir|charger|montrer) (?:plus|la suite|davantage|tout)|tout afficher"
    "|(?:leer|ver|mostrar|cargar) (?:más|todo)|seguir leyendo|continuar leyendo|llegeix més|mostra'n més"
    "|(?:ler|ver|leia|veja|mostrar|carregar|exibir) (?:mais|tudo)|continua(?:r|e)? (?:lendo|a ler)"
    "|(?:leggi|mostra|vedi|carica) (?:di più|altr|tutto)|continua a leggere"
    "|(?:lees|toon|bekijk|laad) (?:meer|verder|alles)|meer (?:lezen|tonen|weergeven|laden)|verder lezen"
    "|czytaj (?:więcej|dalej)|pokaż więcej|(?:z|w)obacz więcej|rozwiń|załaduj więcej"
    "|läs (?:mer|vidare)|visa (?:mer|fler|alla)|læs mere"
    "|vis (?:mere|mer|flere|alle)|les mer|lue lisää|näytä (?:lisää|kaikki)"
    "|číst (?:dále|více)|zobrazit (?:více|vše|další)|čítať ďalej"
    "|zobraziť viac|tovább(?: olvas)?|több (?:megjelenít|betölt)"
    "|(?:citește|vezi|afișează|arată) mai mult|διαβάστε περισσότερα|περισσότερα|δείτε περισσότερα"
    "|devamını (?:oku|göster)|daha fazla(?: göster| oku)?"
    "|читать (?:далее|дальше|полностью|ещё)|показать (?:ещё|еще|больше|все|полностью)"
    "|подробнее|развернуть|загрузить ещё|читати (?:далі|більше)|показати (?:більше|ще)|xem thêm|đọc tiếp"
    "|selengkapnya|baca selengkapnya|lihat (?:lainnya|semua)|tampilkan lebih"
)
_MORES_JOINED = (
    "もっと(?:見る|読む|表示)|続きを(?:読む|見る)|さらに表示|すべて表示|全文を|显示更多|查看更多"
    "|展开|阅读全文|加载更多|查看全部|阅读更多|顯示更多|展開|閱讀全文|載入更多|繼續閱讀"
    "|더 ?보기|계속 읽기|전체 보기|اقرأ المزيد|عرض المزيد|المزيد|קרא עוד|הצג עוד|อ่านต่อ|ดูเพิ่มเติม"
)


def click_script(task: str, most: int, *, in_frame: bool = False, is_trial: bool = False) -> str:
    """Return the JavaScript expression that clicks at most `most` controls. Its value is the list of their labels.

    With `is_trial` it only lists them.
    """
    is_refusal = task == REFUSE
    order = {
        "isRefusal": is_refusal,
        "words": f"(?<!\\p{{L}})(?:{_REFUSALS})\\p{{L}}{{0,8}}|{_REFUSALS_JOINED}"
        if is_refusal
        else f"^(?:{_MORES}|{_MORES_JOINED})",
        "never": f"(?<!\\p{{L}})(?:{_NEVER})|{_NEVER_JOINED}",
        "about": _ABOUT,
        "longest": _MAX_LABEL,
        "largest": _MAX_DIALOG,
        "most": most,
        "inFrame": in_frame,
        "isTrial": is_trial,
    }
    return f"{scripts.CLICK}({json.dumps(order)})"


class Clicker(Reader):
    """A tab in which controls can be clicked. `settle(deadline)` waits for the page and returns whether it settled."""

    def _refuse_consent(self, settle: Callable[[float], bool], deadline: float) -> bool:
        """Refuse consent once, in the page or a frame directly inside it. Return False if the page then stays busy."""
        if not self._options.clicks:
            return True
        for frame in (self._frame, *self._frames.inside(self._frame)[:MAX_CONSENT_FRAMES]):
            if self._click(REFUSE, MAX_REFUSAL_CLICKS, frame, deadline):
                return settle(min(deadline, time.monotonic() + CLICK_WAIT))
        return True

    def _show_more(self, settle: Callable[[float], bool], deadline: float) -> bool:
        """Click "show more" in the main text, and where a click reveals another. Return False if it then stays busy."""
        left = MAX_MORE_CLICKS if self._options.clicks else 0
        until = min(deadline, time.monotonic() + CLICK_WAIT)
        while left and (number := self._click(MORE, left, self._frame, until)):
            left -= number
            if not settle(until):
                return False
        return True

    def _click(self, task: str, most: int, frame: str, deadline: float) -> int:
        """Click at most `most` controls in a frame, and return how many.

        A trial finds the labels first: if the page's handlers never return, the labels of the trial are noted.
        """
        trial_labels = self._run_clicks(task, most, frame, deadline, is_trial=True)
        if not trial_labels:
            return 0
        # Without a history, handlers cannot go back to an earlier page either.
        self._send("Page.resetNavigationHistory", None, self._session)
        with self._changed:
            self._is_held = True
        clicked_labels = self._run_clicks(task, most, frame, deadline, is_trial=False)
        labels = trial_labels if clicked_labels is None else clicked_labels
        self._clicked.update((task, label) for label in labels)
        self._traffic.last_change = time.monotonic()
        return len(labels)

    def _run_clicks(self, task: str, most: int, frame: str, deadline: float, *, is_trial: bool) -> list[str] | None:
        """Run the click script and return the labels. None if the page's handlers had to be ended."""
        script = click_script(task, most, in_frame=frame != self._frame, is_trial=is_trial)
        until = min(deadline, time.monotonic() + CLICK_ANSWER)
        try:
            labels = self._value(script, self._world_of(frame, until), frame, until)
        except NoAnswer:
            self._send("Runtime.terminateExecution", None, self._frames.session_of(frame))
            return None
        except ProtocolError:
            return []
        return [str(label) for label in labels] if isinstance(labels, list) else []

    def _notes(self, facts: dict[str, Any]) -> Iterator[str]:
        yield from super()._notes(facts)
        if self._clicked:
            each = (
                f'"{words}"' + (" (consent refused)" if task == REFUSE else "") + (f" {n} times" * (n > 1))
                for (task, words), n in self._clicked.items()
            )
            yield f"clicked in the page: {', '.join(each)}"
        if self._held_back:
            yield "after the click the page wanted to lead elsewhere, which was refused"
