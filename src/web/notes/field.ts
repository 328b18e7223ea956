// The field that notes are written in: an editor that shows formatting, reports what was typed, and takes in
// what others write meanwhile. client/markdown/ decides what its keys do, and the app's keymap which keys
// those are.
import { defaultKeymap, history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { defineLanguageFacet, ensureSyntaxTree, Language } from '@codemirror/language';
import { Annotation, EditorState, type Extension, Prec, Transaction } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import type { NotesAct, NotesField } from '#client/app/app.ts';
import { notesParser } from '#core/markdown/grammar.ts';
import { linkAt } from '#core/markdown/links.ts';
import {
  continueList,
  dropTypedMark,
  indentItem,
  outdentItem,
  removeMark,
  toggleBox,
} from '#client/markdown/list-editing.ts';
import type { NoteCommand } from '#client/markdown/list-line.ts';
import { linkSelection, makeLink, toggleMark } from '#client/markdown/mark-editing.ts';
import { splicesOf } from '#sync/rows/text-diff.ts';
import { timers } from '../platform/world.ts';
import { adoptEditorStyles } from './adopted-styles.ts';
import { livePreview } from './live-preview.ts';
import { theme } from './theme.ts';

const ACTS: Readonly<Record<NotesAct, NoteCommand>> = {
  checkbox: toggleBox,
  bold: toggleMark('StrongEmphasis'),
  italic: toggleMark('Emphasis'),
  strike: toggleMark('Strikethrough'),
  code: toggleMark('InlineCode'),
  link: makeLink,
  indent: indentItem,
  outdent: outdentItem,
};

/** The tree up to the caret is made within this time, else the part that is there has to do. */
const PARSE_MS = 50;

const language = new Language(defineLanguageFacet(), notesParser, [], 'notes');
const AFTER_COMPOSING_MS = 120;
/** What somebody else wrote: the undo of this field leaves it alone. */
const fromElsewhere = Annotation.define<true>();

/** Keys of text that the app leaves to the field. */
const OWN_KEYS = new Set(['Alt-ArrowUp', 'Alt-ArrowDown']);

export interface NotesFieldPorts {
  readonly text: string;
  /** What it is for those who cannot see it. */
  readonly label: string;
  /** The person changed the text, from `before`. */
  changed(text: string, before: string): void;
  /** The text as it stands outside, what was changed here included. */
  stands(): string;
}

function runs(command: NoteCommand): (view: EditorView) => boolean {
  return (view) => {
    const { state } = view;
    if (state.readOnly) return false;
    const tree = ensureSyntaxTree(state, state.doc.lineAt(state.selection.main.to).to, PARSE_MS);
    const change = tree && command(state, tree);
    if (!change) return false;
    view.dispatch(change);
    return true;
  };
}

/** An address pasted over words makes them its link. */
function pasteAddress(event: ClipboardEvent, view: EditorView): boolean {
  const change = linkSelection(view.state, event.clipboardData?.getData('text/plain') ?? '');
  if (!change) return false;
  view.dispatch(change);
  return true;
}

export class RichNotesField implements NotesField {
  readonly #view: EditorView;
  readonly #ports: NotesFieldPorts;
  /** What the field holds, as far as it was told. */
  #told: string;
  #isAwaiting = false;
  #cancel: (() => void) | null = null;

  constructor(host: HTMLElement, ports: NotesFieldPorts) {
    adoptEditorStyles();
    this.#ports = ports;
    this.#told = ports.text;
    const state = EditorState.create({
      doc: ports.text,
      selection: { anchor: ports.text.length },
      extensions: this.#extensions(),
    });
    this.#view = new EditorView({ state, parent: host });
  }

  act(what: NotesAct): boolean {
    return runs(ACTS[what])(this.#view);
  }

  linkAtCaret(): string | null {
    const { state } = this.#view;
    const { head } = state.selection.main;
    const tree = ensureSyntaxTree(state, state.doc.lineAt(head).to, PARSE_MS);
    return tree && (linkAt(tree, head, (from, to) => state.sliceDoc(from, to))?.address ?? null);
  }

  /**
   * Takes over how the text stands outside; caret and selection stay where they are in the words. What an input method is
   * writing is left alone until it is done.
   */
  follow(): void {
    const view = this.#view;
    if (view.composing) this.#await();
    if (this.#isAwaiting) return;
    const text = this.#ports.stands();
    if (text === this.#told) return;
    const changes = splicesOf(this.#told, text).map(({ at, remove, insert }) => ({
      from: at,
      to: at + remove,
      insert,
    }));
    this.#told = text;
    view.dispatch({
      changes,
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    });
  }

  /** The last of what was composed is read a moment after its end. */
  #await(looks = 2): void {
    this.#isAwaiting = true;
    this.#cancel?.();
    this.#cancel = timers.after(AFTER_COMPOSING_MS, () => {
      if (this.#view.composing) this.#await();
      else if (looks > 1) this.#await(looks - 1);
      else {
        this.#isAwaiting = false;
        this.follow();
      }
    });
  }

  /** Where the caret goes when writing begins with a press of the pointer. */
  putCaret(at: number): void {
    const anchor = Math.min(at, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true });
  }

  /** It became visible again, or another size. */
  measure(): void {
    this.#view.requestMeasure();
  }

  close(): void {
    this.#cancel?.();
    this.#view.destroy();
  }

  #extensions(): Extension {
    const { label } = this.#ports;
    return [
      language,
      livePreview,
      theme,
      history(),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      placeholder('Write notes in Markdown'),
      Prec.high(
        keymap.of([
          { key: 'Enter', run: runs(continueList) },
          { key: 'Space', run: runs(dropTypedMark) },
          { key: 'Backspace', run: runs(removeMark) },
        ]),
      ),
      keymap.of([
        ...historyKeymap,
        ...standardKeymap,
        ...defaultKeymap.filter(({ key = '' }) => OWN_KEYS.has(key)),
      ]),
      EditorView.domEventHandlers({ paste: pasteAddress }),
      EditorView.contentAttributes.of({
        id: 'notes-text',
        'data-ph': 'notes-text',
        'aria-label': label,
        autocapitalize: 'sentences',
        autocorrect: 'on',
        spellcheck: 'true',
      }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && transactions.some((each) => each.docChanged && !each.annotation(fromElsewhere)))
          this.#tell(state.doc.toString());
      }),
    ];
  }

  #tell(text: string): void {
    const before = this.#told;
    this.#told = text;
    this.#ports.changed(text, before);
  }
}
