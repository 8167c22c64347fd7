"""Decide whether a page is only a shell that its scripts would fill, or a login form.

In: a tree. Out: the reason in a few words, or None. Pure.

A shell has scripts and little text of its own. One of these holds besides: a container that a framework fills has no
text, or only says that it is loading; a noscript message asks for JavaScript; or nothing but menus and a footer has
text. No standard defines this; the ids of containers are the defaults of the frameworks' project generators. Reading
stops as soon as there is enough text for a page.

    <div id="root"></div><script src="app.js"></script>                          -> "#root is empty until scripts run"
    <nav>Home</nav><app-main>Loading...</app-main><script src="a.js">         -> "<app-main> is empty until scripts run"
    <h1>Sign in</h1><form><input type=password></form><script src="form.js">     -> None
"""

from __future__ import annotations

from webtool.html.elements import role_of
from webtool.html.node import Document, Element, Node, elements
from webtool.lean import patterns

MIN_PAGE_TEXT = 600  # characters outside of menus; a page with this much text is never a shell
MAX_SHELL_TEXT = 300  # characters of a shell's header, cookie notice and "Loading"; with more it is not a shell
MAX_BARE_TEXT = 80  # characters of a shell that is recognised by its scripts alone
MIN_SCRIPTS = 3  # scripts of a shell with some text; without text one is enough
MIN_SENTENCE = 5  # words of a sentence, at least; a shell lacks sentences this long
MIN_PROSE = 3  # words of a paragraph or heading that is content: "All systems operational", and not "Our app"
MIN_LABELS = 3  # texts of a chart or plan; a logo or spinner has fewer
MAX_LOADING = 60  # characters of a text that says that the page is loading
_MAX_MESSAGE = 2000  # characters of noscript text that are looked at

# fmt: off
# Ids of the containers that frameworks fill.
_ROOTS = frozenset((
    "root", "app", "__next", "__nuxt", "__layout", "___gatsby", "main-app", "react-root", "reactroot", "app-root",
    "approot", "svelte", "q-app", "mount", "single-spa-application:app", "ember-app", "gatsby-focus-wrapper",
    "application", "vue-app", "react-app", "ng-app", "elm", "redoc", "swagger-ui", "flutter_app", "main-content-root",
))
# fmt: on
# Elements whose content is not text of the page.
_SILENT = frozenset("head title script style template noscript svg select datalist iframe object canvas".split())
# Elements whose text is around the page's, by tag and by ARIA role.
_MENUS = frozenset(
    "nav header footer aside navigation banner contentinfo complementary menubar menu tablist toolbar".split()
)
_HEAD_PARTS = frozenset(("script", "noscript", "link", "title"))
_LISTS = frozenset(("tbody", "ul", "ol", "dl"))
_PROSE = frozenset("p h1 h2 h3 h4 h5 h6 li td dd dt pre blockquote address".split())
_LABELS = frozenset("h1 h2 h3 h4 h5 h6 a button label legend th".split())
_FIELDS = frozenset(("input", "textarea"))
# "JavaScript must be enabled", "JavaScript is required to run this app"
_SCRIPTS_ARE_NEEDED = (
    r"java\s?script\W+(?:\w+\W+){0,4}?(?:enabled?|disabled|required|necessary|activated?|turned|off|to run|to view)"
)
_ASKS_FOR_SCRIPTS = patterns.compile(
    r"(?i)(?:enable|activate|turn(?:ing)? on|allow|requires?|needs?|without|support)\W+(?:\w+\W+){0,4}?"
    rf"(?:java\s?script|js\b)|{_SCRIPTS_ARE_NEEDED}"
)
# A visible text asks for scripts if it says what to do ("Please enable JavaScript"), or what this page needs ("Our app
# requires JavaScript"). Other texts with the word are articles about JavaScript.
_DEMANDS_SCRIPTS = patterns.compile(
    r"(?i)(?:^|[.!,:]\s+|please\s+|(?:must|have to|should|need to)\s+)(?:enable|activate|turn(?:ing)? on|allow)\W+"
    r"(?:\w+\W+){0,3}?(?:java\s?script|js\b)"
    r"|\b(?:this|our|the|we)\b.{0,60}?\b(?:requires?|needs?|without|support)\W+(?:\w+\W+){0,4}?(?:java\s?script|js\b)"
    rf"|{_SCRIPTS_ARE_NEEDED}"
)
_sentence_end = patterns.compile(r"(?<=[.!?])\s+").split
_names_spinner = patterns.compile(r"(?i)spin|load|indicator|splash").search
_NAMES_SKELETON = patterns.compile(r"(?i)\b(?:skeleton|shimmer|placeholder-(?:glow|wave))")
BUSY = "<aria-busy=true>"  # name of a container that says that it is not ready
_MENU = "-"  # instead of a container's name: the element is a menu, a header or a footer
_loads_itself = patterns.compile(r"(?i)\b(?:load|revealed|intersect|every)\b").search
# Ids and classes of boxes that scripts fill with the content of a page.
_names_view = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:grid|list|table|content|view|map|chart|results?|feed|main|board|editor)(?:$|[\s_-])"
).search
# What a container says until it is filled, in the languages of most splash screens.
_SAYS_LOADING = patterns.compile(
    r"(?i)^\W*(?:(?:now |still |please |just |the )?(?:app(?:lication)? |page )?(?:is )?"
    r"(?:load(?:ing)?|wait|(?:one|a) (?:moment|sec(?:ond)?)|initiali[sz]ing"
    r"|connecting|fetching|preparing|starting(?! at| on| from| in))\b"
    r"(?!\W+(?:is|are|was|were|can|may|must|has|have|will) )"
    r"|(?:you are being )?redirect(?:ing|ed)?\b"
    r"|chargement|veuillez patienter|wird |lade|bitte warten|cargando|caricamento|carregando|(?:\w+ )?ładowanie"
    r"|(?:\w+ )?загрузка|yükleniyor|lütfen bekle|đang tải|読み込み中|(?:しばらく)?お待ちください"
    r"|\w{0,4}(?:加载中|正在加载)|載入中|请稍候|로딩"
    r"|(?:checking|verifying|authenticating|signing|opening|launching|getting|setting)\b.*(?:\.{3}|…)$"
    r"|잠시만|جار|attendere|espere|aguarde|proszę czekać|even geduld|bezig met laden|laddar|laster|indlæser|ladataan"
    r"|načítá|memuat|betöltés|se încarcă|завантаження|зареждане|φόρτωση|טוען|लोड हो रहा"
    r"|\d+ ?%|\.{3}|…|$)"
    r"|.{0,30}\b(?:is (?:now |still )?(?:loading|starting up)|(?:wird|werden) (?:\w+ )?(?:geladen|gestartet)"
    r"|en cours de chargement|se est[áa]n? cargando)\b"
)
_ASKS_FOR_PATIENCE = patterns.compile(
    r"(?i)^\W*(?:please|this|it|thank|hold|just|one)\b.*(?:wait|moment|second|minute|patien|hold|soon|shortly)"
)


def looks_like_js_shell(root: Element) -> str | None:
    """Return why the page seems to need a browser, such as "#root is empty until scripts run"; None if it has text."""
    if _has_paragraphs(root):
        return None
    survey = _Survey()
    survey.read(root)
    if survey.text >= MIN_PAGE_TEXT or not survey.scripts:
        return None
    # The reasons follow, surest first. A framework's container like <app-main> counts only without sentences.
    sentences = [text for text in survey.texts if len(text.split()) >= MIN_SENTENCE and not _says_nothing(text)]
    if survey.text < MAX_SHELL_TEXT and survey.empty_root and not (sentences and survey.empty_root[0] == "<"):
        return f"{survey.empty_root} is empty until scripts run"
    messages = " ".join(survey.messages)[:_MAX_MESSAGE]
    asks_for_scripts = _ASKS_FOR_SCRIPTS.search(messages) or any(map(_DEMANDS_SCRIPTS.search, survey.texts))
    if survey.text < MAX_SHELL_TEXT and not sentences and asks_for_scripts:
        return "it asks for JavaScript"
    if survey.has_other_content:
        return None
    if not survey.text:
        return "it has no text outside of menus" if survey.menu_text else "it has no text until scripts run"
    if survey.text < MAX_LOADING and all(map(_is_splash, survey.texts)):
        return "it only says that it is loading"
    if survey.text < 2 * MAX_LOADING and not sentences and _is_title_and_splash(survey.texts, survey.has_splash):
        return "it only says that it is loading"
    if survey.has_drawing and survey.text < MAX_BARE_TEXT and not (survey.has_prose or survey.has_sentence):
        return "it draws on a canvas"
    is_bare = survey.text + survey.menu_text < MAX_BARE_TEXT and not sentences
    is_empty = survey.has_empty_list or (survey.has_empty_view and not survey.has_body)
    if is_bare and is_empty and not survey.has_sentence:
        return "a list, table or view is empty until scripts run"
    if is_bare and not survey.has_prose and survey.scripts >= MIN_SCRIPTS:
        return f"almost no text and {survey.scripts} scripts"
    return None


def _has_paragraphs(root: Element) -> bool:
    """Whether the p elements outside of menus have the text of a page; this spares most pages the survey.

    A page with a long menu before its article has hundreds of elements there, and the survey reads them in order.
    """
    if not isinstance(root, Document):
        return False
    counts: dict[Element, bool] = {root: True}  # whether text inside an element counts
    size = 0
    for paragraph in root.elements:
        if paragraph.tag != "p":
            continue
        unknown: list[Element] = []  # the paragraph and the elements around it that `counts` does not have
        element: Element | None = paragraph
        while element is not None and element not in counts:
            unknown.append(element)
            element = element.parent
        is_counted = element is not None and counts[element]
        for element in reversed(unknown):
            role = role_of(element.attrs)
            is_counted = is_counted and element.tag not in _SILENT and _MENUS.isdisjoint((element.tag, role))
            counts[element] = is_counted
        if is_counted:
            size += sum([len(node.text.strip()) for node in paragraph.children if node.tag is None])
            if size >= MIN_PAGE_TEXT:
                return True
    return False


def _is_splash(text: str) -> bool:
    """Whether a text only says that the page is loading: "Loading... Please wait.", not "Loading dock. Ring twice"."""
    first, *others = _sentence_end(text) or [""]
    return bool(_SAYS_LOADING.match(first)) and all(map(_ASKS_FOR_PATIENCE.search, others))


def _is_title_and_splash(texts: list[str], has_splash: bool) -> bool:
    """Whether texts are a title, a request to wait, and a notice of cookies."""
    others = [text for text in texts if not (_is_splash(text) or "cookie" in text.lower())]
    if not has_splash:
        waits = (text for text in texts if _ASKS_FOR_PATIENCE.search(text) or text.endswith(("...", "…")))
        has_splash = any(map(_is_splash, waits))
    return has_splash and len(others) <= 2 and not any(text.endswith(".") for text in others)


def _says_nothing(text: str) -> bool:
    """Whether a text is a shell's: it asks for scripts, says that the page is loading, or is about cookies."""
    if "cookie" in text.lower() or _SAYS_LOADING.match(text):
        return True
    parts = _sentence_end(text) if _ASKS_FOR_SCRIPTS.search(text) else ()
    return bool(parts) and all(len(part) < MAX_LOADING for part in parts if not _ASKS_FOR_SCRIPTS.search(part))


def asks_for_login(root: Element) -> bool:
    """Whether the page is a password form with little else."""
    size, has_password = 0, False
    stack: list[Node] = [root]
    while stack and size < MIN_PAGE_TEXT:
        node = stack.pop()
        if node.tag is None:
            size += len(node.text.strip())
        elif node.tag == "input":
            has_password = has_password or node.attrs.get("type", "").strip().lower() == "password"
        elif node.tag not in _SILENT:
            stack.extend(reversed(node.children))
    return has_password and size < MIN_PAGE_TEXT


class _Survey:
    """Count text, scripts and messages in one walk over the tree."""

    def __init__(self) -> None:
        self.text = 0  # characters outside silent elements and menus
        self.menu_text = 0  # characters of menus, headers and footers
        self.scripts = 0
        self.texts: list[str] = []  # texts of the page outside menus
        self.messages: list[str] = []  # texts of noscript elements
        self.has_other_content = False  # a frame, a picture, a film or a form
        self.has_splash = False  # a text that says that it is loading, outside of headings and paragraphs
        self.has_drawing = False  # a canvas
        self.has_empty_list = False  # a list or table body that has a name and nothing in it
        self.has_empty_view = False  # a box that is named like a view and has nothing in it
        self.has_body = False  # a text outside of headings and controls
        self.has_sentence = False  # a text of MIN_PROSE words ends like a sentence
        self.has_prose = False  # a paragraph, a heading or a cell has text
        self.empty_root = ""  # name of the first container without text
        self.title = ""  # a splash screen often shows it
        self._open_menus = 0  # menus around the present element

    def read(self, root: Element) -> None:
        """Walk until the end, or until there is enough text."""
        stack: list[Node | tuple[int, str]] = list(reversed(root.children))
        while stack and self.text < MIN_PAGE_TEXT:
            node = stack.pop()
            if isinstance(node, tuple):
                self._leave(*node)
                continue
            if node.tag is None:
                self._count_text(node.text, node.parent)
                continue
            name = self._count_element(node)  # type: ignore[arg-type]
            if name:  # _leave() is called after the element's children
                stack.append((len(self.texts), name))
            if node.tag not in _SILENT:
                stack.extend(reversed(node.children))
            elif node.tag == "head":
                stack.extend(child for child in reversed(node.children) if child.tag in _HEAD_PARTS)

    def _leave(self, start: int, name: str) -> None:
        """End a container with this name, or a menu (_MENU). `start` is the number of texts before it."""
        if name == _MENU:
            self._open_menus -= 1
            return
        texts = [text for text in self.texts[start:] if not self.title.startswith(text)]
        says_loading = [bool(_SAYS_LOADING.match(text)) for text in texts]
        is_empty = all(says_loading) or (name[0] == "<" and any(says_loading)) or name == BUSY
        if not self.empty_root and len(" ".join(texts)) < MAX_LOADING and is_empty:
            self.empty_root = name

    def _count_text(self, text: str, parent: Element | None) -> None:
        text = text.strip()
        if not text:
            return
        if self._open_menus:
            self.menu_text += len(text)
            return
        self.text += len(text)
        is_prose = parent is not None and parent.tag in _PROSE
        self.has_body |= parent is None or parent.tag not in _LABELS
        if len(text.split()) >= MIN_PROSE:
            self.has_prose |= is_prose
            self.has_sentence |= text.endswith((".", "!"))
        self.texts.append(text[:_MAX_MESSAGE])
        self.has_splash = self.has_splash or (
            not is_prose and text[:1].isalnum() and len(text) < MAX_LOADING and _is_splash(text)
        )

    def _count_noscript(self, text: str) -> None:
        """Keep a message for browsers without scripts. Some forums (Discourse, Flarum) put the whole page there."""
        if len(text) > MAX_SHELL_TEXT:
            self.text += len(" ".join(text.split()))
        self.messages.append(text[:_MAX_MESSAGE])

    def _count_element(self, element: Element) -> str:
        """Count an element. Return the name of a container that scripts fill, _MENU for a menu, "" for others."""
        tag, attrs = element.tag, element.attrs
        if tag == "script":
            kind = attrs.get("type", "").strip().lower()
            if not kind or "script" in kind or kind == "module":
                self.scripts += 1
        elif tag == "link":
            rel, use = attrs.get("rel", "").lower(), attrs.get("as", "").lower()
            if rel == "modulepreload" or (rel == "preload" and use == "script"):
                self.scripts += 1
        elif tag == "title":
            self.title = self.title or element.text.strip()
        elif tag == "noscript":
            self._count_noscript(element.text)
        elif tag == "canvas":
            self.has_drawing = True
        elif tag == "svg":
            labels = sum(node.tag == "text" for node in elements(element))
            self.has_other_content |= labels >= MIN_LABELS and not self._open_menus
        elif tag in _LISTS and ("id" in attrs or "class" in attrs) and _is_empty(element):
            self.has_empty_list |= not self._open_menus
        elif tag == "div" and _is_empty(element) and _names_view(f"{attrs.get('id', '')} {attrs.get('class', '')}"):
            self.has_empty_view |= not self._open_menus
        elif tag in ("frame", "iframe", "embed", "object", "video", "audio") or (tag == "img" and _is_content(element)):
            self.has_other_content |= not self._open_menus
        elif tag in _FIELDS and not self._open_menus and attrs.get("type", "").lower() != "hidden":
            self.has_other_content = True
        elif attrs.get("id", "").lower() in _ROOTS:
            return f"#{attrs['id']}"
        elif _is_filled_later(tag, attrs) or ("-" in tag and element.parent and element.parent.tag == "body"):
            return BUSY if attrs.get("aria-busy") == "true" else f"<{tag}>"
        elif tag in _MENUS or role_of(attrs) in _MENUS:
            self._open_menus += 1
            return _MENU
        return ""


def _is_empty(element: Element) -> bool:
    """Whether an element has neither elements nor text in it: `<ul id=hits> <!-- rows --> </ul>`."""
    return not any(isinstance(node, Element) or (node.tag is None and node.text.strip()) for node in element.children)


def _is_filled_later(tag: str, attrs: dict[str, str]) -> bool:
    """Whether scripts put content into an element later.

    `<div hx-get=/list hx-trigger=load>` (htmx), `<turbo-frame src=/list>`, `<div class=skeleton>`
    """
    if "hx-get" in attrs and _loads_itself(attrs.get("hx-trigger", "")):
        return True
    if tag in ("turbo-frame", "include-fragment"):
        return "src" in attrs
    return attrs.get("aria-busy") == "true" or bool(_NAMES_SKELETON.search(attrs.get("class", "")))


def _is_content(image: Element) -> bool:
    """Whether an img element shows more than a spinner."""
    attrs = image.attrs
    names = [attrs.get("src", "")[:200], *(attrs.get(name, "") for name in ("class", "id", "alt"))]
    if image.parent is not None:
        names.append(image.parent.attrs.get("class", ""))
    return bool(attrs.get("src")) and not _names_spinner(" ".join(names))
