// Shows what the Markdown of a note means while it is written: what is marked looks like it, and the marks themselves appear
// only where the caret is. Only what is on screen is looked at.
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension, Range, SelectionRange } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { linkOf } from '#core/markdown/links.ts';

const SPANS: Readonly<Record<string, Decoration>> = {
  StrongEmphasis: Decoration.mark({ class: 'cm-strong' }),
  Emphasis: Decoration.mark({ class: 'cm-emphasis' }),
  Strikethrough: Decoration.mark({ class: 'cm-strike' }),
  InlineCode: Decoration.mark({ class: 'cm-code' }),
  ListMark: Decoration.mark({ class: 'cm-list-mark' }),
  CodeInfo: Decoration.mark({ class: 'cm-mark' }),
};
const LINK = Decoration.mark({ class: 'cm-link' });
const DIMMED = Decoration.mark({ class: 'cm-mark' });
const DONE = Decoration.mark({ class: 'cm-done' });
const HIDDEN = Decoration.replace({});
const LINES: Readonly<Record<string, Decoration>> = Object.fromEntries(
  ['h1', 'h2', 'h3', 'h4', 'code-line', 'quote', 'rule'].map((name) => [
    name,
    Decoration.line({ class: `cm-${name}` }),
  ]),
);

/** A checkbox in place of its brackets. The key that toggles it is a command; this answers the pointer. */
class Box extends WidgetType {
  readonly isChecked: boolean;

  constructor(isChecked: boolean) {
    super();
    this.isChecked = isChecked;
  }

  override eq(other: Box): boolean {
    return other.isChecked === this.isChecked;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('span');
    box.className = 'cm-box';
    box.role = 'checkbox';
    box.ariaChecked = String(this.isChecked);
    box.ariaLabel = 'Done';
    box.textContent = this.isChecked ? '✓' : '';
    box.addEventListener('mousedown', (event) => {
      event.preventDefault();
      toggleAt(view, view.posAtDOM(box));
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

class Bullet extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const bullet = document.createElement('span');
    bullet.className = 'cm-list-mark';
    bullet.textContent = '•';
    return bullet;
  }
}

const BULLET = Decoration.replace({ widget: new Bullet() });

/** `at`: in the line, before its checkbox. */
function toggleAt(view: EditorView, at: number): void {
  const line = view.state.doc.lineAt(at);
  const found = /^[^[]*\[([ xX])\]/.exec(line.text);
  if (!found) return;
  const from = line.from + found[0].length - 2;
  view.dispatch({
    changes: { from, to: from + 1, insert: found[1] === ' ' ? 'x' : ' ' },
    userEvent: 'input.checkbox',
  });
}

class Preview {
  readonly #state: EditorState;
  readonly #ranges: readonly SelectionRange[];
  readonly #found: Range<Decoration>[] = [];

  constructor(state: EditorState) {
    this.#state = state;
    this.#ranges = state.selection.ranges;
  }

  see(from: number, to: number): void {
    syntaxTree(this.#state).iterate({ from, to, enter: (node) => this.#enter(node) });
  }

  decorations(): DecorationSet {
    return Decoration.set(this.#found, true);
  }

  /** The caret or the selection is in it or at its edge. */
  #isTouched(from: number, to: number): boolean {
    return this.#ranges.some((range) => range.from <= to && range.to >= from);
  }

  #isLineTouched(at: number): boolean {
    const { from, to } = this.#state.doc.lineAt(at);
    return this.#isTouched(from, to);
  }

  #mark(decoration: Decoration | undefined, from: number, to: number): void {
    if (decoration && from < to) this.#found.push(decoration.range(from, to));
  }

  /** Marks that say how something is meant: there while it is being written, else out of the way. */
  #hide(from: number, to: number, isShown: boolean): void {
    this.#mark(isShown ? DIMMED : HIDDEN, from, to);
  }

  #lines(name: string, from: number, to: number): void {
    const { doc } = this.#state;
    const decoration = LINES[name];
    for (let at = from; decoration && at <= to;) {
      const line = doc.lineAt(at);
      this.#found.push(decoration.range(line.from));
      at = line.to + 1;
    }
  }

  #enter(ref: SyntaxNodeRef): boolean | undefined {
    const { name, from, to } = ref;
    const level = /^(?:ATX|Setext)Heading([1-6])$/.exec(name)?.[1];
    if (level !== undefined) this.#lines(`h${Math.min(Number(level), 4)}`, from, to);
    else if (name === 'FencedCode') this.#lines('code-line', from, to);
    else if (name === 'Blockquote') this.#lines('quote', from, to);
    else if (name === 'HorizontalRule') {
      if (this.#isLineTouched(from)) this.#mark(DIMMED, from, to);
      else {
        this.#lines('rule', from, to);
        this.#mark(HIDDEN, from, to);
      }
    } else if (/^(?:Link|Image|Autolink|URL)$/.test(name)) return this.#link(ref);
    else if (name === 'Task') this.#task(ref);
    else if (name.endsWith('Mark')) this.#markOf(ref);
    else if (name === 'Escape') this.#hide(from, from + 1, this.#isTouched(from, to));
    this.#mark(SPANS[name], from, to);
    return undefined;
  }

  #markOf({ name, from, to, node }: SyntaxNodeRef): void {
    const { parent } = node;
    if (!parent) return;
    if (name === 'ListMark') this.#bullet(node);
    else if (name === 'HeaderMark') {
      // With it goes what stands between it and the heading.
      const isAtStart = parent.name.startsWith('ATX') && from === parent.from;
      const space = isAtStart ? (/^ +/.exec(this.#state.sliceDoc(to, parent.to))?.[0].length ?? 0) : 0;
      this.#hide(from, to + space, this.#isLineTouched(from) || this.#isTouched(parent.from, parent.to));
    } else if (name === 'QuoteMark') this.#hide(from, to, this.#isLineTouched(from));
    else if (parent.name === 'FencedCode') this.#mark(DIMMED, from, to);
    else if (parent.name in SPANS) this.#hide(from, to, this.#isTouched(parent.from, parent.to));
  }

  #bullet({ from, to, nextSibling }: SyntaxNode): void {
    // A checkbox stands in its place.
    if (nextSibling?.name === 'Task') return;
    const isShown = this.#isTouched(from, to) || /^\d/.test(this.#state.sliceDoc(from, to));
    if (!isShown) this.#mark(BULLET, from, to);
  }

  #link(ref: SyntaxNodeRef): boolean | undefined {
    const { node, from, to } = ref;
    const isOfLink = node.parent?.name === 'Link' || node.parent?.name === 'Image';
    const link = linkOf(node, (start, end) => this.#state.sliceDoc(start, end));
    if (link === null || (ref.name === 'URL' && isOfLink)) return undefined;
    const [open, close] = ref.name === 'Link' || ref.name === 'Image' ? node.getChildren('LinkMark') : [];
    if (!open || !close || close.from <= open.to) {
      this.#mark(LINK, from, to);
      return false;
    }
    const isShown = this.#isTouched(from, to);
    this.#hide(from, open.to, isShown);
    this.#mark(LINK, open.to, close.from);
    this.#hide(close.from, to, isShown);
    return undefined;
  }

  #task({ node, to }: SyntaxNodeRef): void {
    const marker = node.getChild('TaskMarker');
    if (!marker) return;
    const item = node.parent?.getChild('ListMark');
    const text = this.#state.sliceDoc(marker.from, marker.to);
    const isChecked = text !== '[ ]';
    const from = item && /^[-*+]/.test(this.#state.sliceDoc(item.from, item.to)) ? item.from : marker.from;
    // Behind the checkbox the caret is in the text.
    const space = this.#state.sliceDoc(marker.to, marker.to + 1) === ' ' ? 1 : 0;
    const end = marker.to + space;
    const isShown = this.#ranges.some((range) => range.from < end && range.to >= from);
    if (isShown) this.#mark(DIMMED, marker.from, marker.to);
    else this.#found.push(Decoration.replace({ widget: new Box(isChecked) }).range(from, end));
    if (isChecked) this.#mark(DONE, end, to);
  }
}

function decorate(view: EditorView): DecorationSet {
  const preview = new Preview(view.state);
  for (const { from, to } of view.visibleRanges) preview.see(from, to);
  return preview.decorations();
}

export const livePreview: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update(update: ViewUpdate): void {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      // What an input method is writing stays as it is drawn until it is done.
      if (update.view.composing && update.docChanged) this.decorations = this.decorations.map(update.changes);
      else if (update.docChanged || update.viewportChanged || update.selectionSet || isParsed)
        this.decorations = decorate(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
