// How notes look while they are written. The sizes and colors are those of the app; the reading look beside
// it is reading.module.css.
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

export const theme: Extension = EditorView.theme({
  '&': { height: '100%', color: 'var(--ph-text)', fontSize: 'var(--ph-size-base)' },
  // Text that is written on a phone would be enlarged by the browser.
  '@media (pointer: coarse)': { '.cm-content': { fontSize: '1rem' } },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--ph-font)', lineHeight: '1.58', padding: '12px 0 20px' },
  // The browser lays out what is typed before anything can look at it; see core/markdown/long-words.ts.
  '.cm-content': { padding: '0', caretColor: 'var(--ph-text)', minHeight: '100%', fontKerning: 'none' },
  '.cm-line': { padding: '0 24px 0 20px', unicodeBidi: 'plaintext' },
  '.cm-placeholder': { color: 'var(--ph-text-subtle)' },
  '.cm-h1': { fontSize: '1.45em', fontWeight: '600', lineHeight: '1.35' },
  '.cm-h2': { fontSize: '1.25em', fontWeight: '600', lineHeight: '1.4' },
  '.cm-h3': { fontSize: '1.1em', fontWeight: '600' },
  '.cm-h4': { fontWeight: '600' },
  '.cm-strong': { fontWeight: '600' },
  '.cm-emphasis': { fontStyle: 'italic' },
  '.cm-strike': { textDecoration: 'line-through' },
  '.cm-code': {
    padding: '1px 3px',
    borderRadius: '4px',
    background: 'var(--ph-sunken)',
    fontFamily: 'var(--ph-mono)',
    fontSize: '0.92em',
  },
  '.cm-code-line': {
    background: 'var(--ph-sunken)',
    fontFamily: 'var(--ph-mono)',
    fontSize: '0.92em',
    tabSize: '4',
  },
  '.cm-link': { color: 'var(--ph-accent-text)', textDecoration: 'underline' },
  '.cm-mark': { color: 'var(--ph-text-subtle)', textDecoration: 'none' },
  '.cm-list-mark': { color: 'var(--ph-text-muted)' },
  '.cm-quote': { color: 'var(--ph-text-muted)', boxShadow: 'inset 2px 0 0 var(--ph-border)' },
  '.cm-done': { color: 'var(--ph-text-muted)', textDecoration: 'line-through var(--ph-strike)' },
  '.cm-rule': {
    backgroundImage: 'linear-gradient(var(--ph-border-strong), var(--ph-border-strong))',
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
    backgroundSize: 'calc(100% - 32px) 1px',
  },
  // As far apart as in reading: fingers and pointers find the one they mean.
  '.cm-line:has(.cm-box)': { paddingBlock: '3px' },
  '.cm-box': {
    display: 'inline-grid',
    placeItems: 'center',
    width: '1rem',
    height: '1rem',
    marginInlineEnd: '8px',
    border: '1.5px solid var(--ph-border-strong)',
    borderRadius: 'var(--ph-radius-box)',
    verticalAlign: '-0.2em',
    color: 'var(--ph-done-mark)',
    fontSize: '0.75rem',
    lineHeight: '1',
    cursor: 'pointer',
  },
  '.cm-box[aria-checked=true]': { borderColor: 'var(--ph-done)', background: 'var(--ph-done)' },
});
