// Lets the editor bring its styles as a constructed style sheet: the security policy of the page refuses the style element
// that it would put into the document otherwise.
import { EditorView } from '@codemirror/view';

/**
 * In a shadow tree the editor takes a constructed sheet, and remembers it there under a name of its own. Remembered for the
 * document too, it is used for it. Throws where that is not so: then notes are written in a plain field.
 */
export function adoptEditorStyles(): void {
  const root = document.createElement('div').attachShadow({ mode: 'open' });
  new EditorView({ root }).destroy();
  const [name] = Object.getOwnPropertySymbols(root);
  if (name === undefined || root.adoptedStyleSheets.length === 0)
    throw new Error('Impossible: the editor took no style sheet');
  if (Object.getOwnPropertySymbols(document).includes(name)) return;
  Object.defineProperty(document, name, { value: Reflect.get(root, name) });
}
