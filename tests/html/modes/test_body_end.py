"""End tags in the insertion mode "in body". HTML Standard, 13.2.6.4.7."""

import pytest
from trees import body_html

# End tags of blocks: in scope, with implied end tags.
BLOCK_ENDS = [
    ("<div>a</section>b</div>c", "<div>ab</div>c"),
    ("<div><p>a</div>b", "<div><p>a</p></div>b"),
    ("<section><div>a</section>b", "<section><div>a</div></section>b"),
    ("<div><span>a</div>b", "<div><span>a</span></div>b"),
    ("<ul><li>a</ul>b", "<ul><li>a</li></ul>b"),
    ("<div><table><td></div>a", "<div><table><tbody><tr><td>a</td></tr></tbody></table></div>"),
    ("<article><object></article>a", "<article><object>a</object></article>"),
    ("<pre>a</listing>b", "<pre>ab</pre>"),
    ("<listing>a</listing>b", "<listing>a</listing>b"),
    ("<nav><b>a</nav>b", "<nav><b>a</b></nav><b>b</b>"),
    ("<blockquote><option>a</blockquote>b", "<blockquote><option>a</option></blockquote>b"),
    ("<menu><li>a</menu>b", "<menu><li>a</li></menu>b"),
    ("</address>a", "a"),
    ("<hgroup><h1>a</hgroup>b", "<hgroup><h1>a</h1></hgroup>b"),
    ("<details><summary>a</details>b", "<details><summary>a</summary></details>b"),
    ("<search><p>a</search>b", "<search><p>a</p></search>b"),
    ("<center><dd>a</center>b", "<center><dd>a</dd></center>b"),
    ("<fieldset><legend>a</fieldset>b", "<fieldset><legend>a</legend></fieldset>b"),
    ("<summary><i>a</summary>b", "<summary><i>a</i></summary><i>b</i>"),
]


# Any other end tag: up to the nearest special element.
OTHER_ENDS = [
    ("<span>a</i></span>b", "<span>a</span>b"),
    ("<x>a<y>b</x>c", "<x>a<y>b</y></x>c"),
    ("<x><div>a</x>b", "<x><div>ab</div></x>"),
    ("<x><p>a</x>b", "<x><p>ab</p></x>"),
    ("</x>a", "a"),
    ("<x-y>a</x-y>b", "<x-y>a</x-y>b"),
    ("<span><option>a</span>b", "<span><option>a</option></span>b"),
    ("<ins><li>a</ins>b", "<ins><li>ab</li></ins>"),
    ("<sarcasm>a</sarcasm>b", "<sarcasm>a</sarcasm>b"),
    ("<u><x>a</u>b</x>c", "<u><x>a</x></u>bc"),
    ("<x>a<button>b</x>c", "<x>a<button>bc</button></x>"),
    ("<kbd><del>a</kbd>b", "<kbd><del>a</del></kbd>b"),
]


@pytest.mark.parametrize(("source", "tree"), [*BLOCK_ENDS, *OTHER_ENDS])
def test_every_source_gives_its_tree(source, tree):
    assert body_html(source) == tree
