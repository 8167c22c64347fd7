// A CodeMirror editor with line numbers and fold marks, one with the lines it had before, and a diff view, side by side with the text of an article.
import { EditorView, basicSetup } from 'codemirror';
import { python } from '@codemirror/lang-python';
import { unifiedMergeView } from '@codemirror/merge';
import { html } from 'diff2html';

const code = 'def area(r):\n    if r < 0:\n        return 0\n\n    return 3 * r';
const changes = '--- a/area.py\n+++ b/area.py\n@@ -4,2 +4,2 @@\n \n-    return 3 * r\n+    return 3.14 * r * r\n';
new EditorView({ doc: code, extensions: [basicSetup, python()], parent: document.querySelector('#editor') });
new EditorView({ doc: code.replace('3 *', '3.14 * r *'), parent: document.querySelector('#merged'),
                 extensions: [basicSetup, python(), unifiedMergeView({ original: code })] });
document.querySelector('#changes').innerHTML = html(changes, { drawFileList: false });
