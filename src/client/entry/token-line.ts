// One line in which tokens are recognized while it is typed: suggested, accepted and refused ones. Pure; showing the
// line and applying its tokens is for others.
import type { Token } from '#core/titles/tokens.ts';
import { withoutRanges } from '#core/titles/text.ts';

/**
 * `auto`: tokens count unless refused. `suggest`: they count once accepted. `signed`: tokens with a sign (#label,
 * @list) count, the rest once accepted.
 */
export type TokenMode = 'auto' | 'signed' | 'suggest' | 'off';

interface Accepted {
  readonly token: Token;
  /** The line before accepting. */
  readonly text: string;
}

/** What a line holds, to go on with it in another one. */
export interface LineContent {
  readonly text: string;
  readonly accepted: readonly Token[];
  /** Keys of the words that stay words, and of those that are suggested at most. */
  readonly literal: readonly string[];
  readonly old: readonly string[];
}

/** A short word that further letters may turn into another one. */
const MAY_GROW = /^\p{L}{1,4}$/u;

/** The state of one line: its text, caret and tokens. `read` finds tokens; it is called on every change of the text. */
export class TokenLine {
  readonly #mode: TokenMode;
  readonly #read: (text: string) => readonly Token[];
  #text: string;
  #caret: number;
  #tokens: readonly Token[] = [];
  readonly #accepted: Token[] = [];
  /** Words that the line held before: they are suggested, and count once accepted. */
  readonly #old = new Set<string>();
  readonly #literal = new Set<string>();
  /** Letters are being taken away: Backspace goes on doing that. */
  #isDeleting = false;
  /** What Backspace restores; null once something was typed. */
  #last: Accepted | null = null;

  /** `original`: the previous content of the line; its words are suggested at most. */
  constructor(mode: TokenMode, read: (text: string) => readonly Token[], original = '') {
    this.#mode = mode;
    this.#read = read;
    this.#text = original;
    this.#caret = original.length;
    if (mode === 'off' || original === '') return;
    for (const token of read(original)) this.#old.add(keyOf(token));
    this.type(original, original.length);
  }

  get content(): LineContent {
    return {
      text: this.#text,
      accepted: this.#accepted,
      literal: [...this.#literal],
      old: [...this.#old],
    };
  }

  /** Goes on with what another line held; the caret is at its end. */
  resume({ text, accepted, literal, old }: LineContent): void {
    this.#accepted.splice(0, this.#accepted.length, ...accepted);
    for (const key of literal) this.#literal.add(key);
    for (const key of old) this.#old.add(key);
    this.type(text, text.length);
  }

  get text(): string {
    return this.#text;
  }

  get caret(): number {
    return this.#caret;
  }

  /** Tokens taken out of the text, in the order of acceptance. */
  get accepted(): readonly Token[] {
    return this.#accepted;
  }

  /** Backspace restores the last acceptance. */
  get canRestore(): boolean {
    return this.#last !== null;
  }

  /** Tokens still in the text. Suggestions wait while a short word may still grow. */
  get pending(): readonly Token[] {
    const grows = ({ end, text }: Token) =>
      end === this.#caret && end === this.#text.length && MAY_GROW.test(text);
    return this.#tokens.filter((token) => this.counts(token) || !grows(token));
  }

  /** The tokens to show: all except accepted ones that later words override. */
  get shown(): readonly Token[] {
    const { pending } = this;
    const saysAnother = ({ kind }: Token) =>
      kind !== 'label' && pending.some((token) => token.kind === kind && this.counts(token));
    return [...this.#accepted.filter((token) => !saysAnother(token)), ...pending];
  }

  /** It is set as it stands; else it is only suggested. */
  counts(token: Token): boolean {
    if (this.#accepted.includes(token)) return true;
    if (this.#old.has(keyOf(token))) return false;
    if (this.#mode === 'auto') return true;
    return this.#mode === 'signed' && (token.kind === 'label' || token.kind === 'list');
  }

  type(text: string, caret: number): void {
    if (text !== this.#text) {
      this.#last = null;
      this.#isDeleting = text.length < this.#text.length;
    }
    this.#text = text;
    this.#caret = caret;
    this.#tokens = this.#mode === 'off' ? [] : this.#read(text).filter((token) => !this.#isLiteral(token));
  }

  /** Takes a suggestion out of the text, the first or the given one; null when there is none. */
  accept(chosen?: Token): Token | null {
    const token = chosen ?? this.pending.find((one) => !this.counts(one));
    if (!token || !this.#tokens.includes(token)) return null;
    const before = { token, text: this.#text };
    this.#put(token);
    const rest = withoutRanges(this.#text, [token]);
    // What is written on stands behind a space.
    const text = rest !== '' && token.end >= this.#text.trimEnd().length ? `${rest} ` : rest;
    this.type(text, text.length);
    this.#last = before;
    return token;
  }

  /**
   * Adds a token that was chosen instead of typed: no words of the line stand for it. Counting tokens of its kind are
   * removed.
   */
  add(token: Token): void {
    if (token.kind !== 'label') this.drop(token.kind);
    this.#put({ ...token, start: 0, end: 0, text: '' });
  }

  /** Takes out what counts of a kind, with its words: something else was chosen. */
  drop(kind: Token['kind']): void {
    const other = this.#tokens.find((one) => one.kind === kind && this.counts(one));
    const at = this.#accepted.findIndex((one) => one.kind === kind);
    if (at >= 0) this.#accepted.splice(at, 1);
    if (!other) return;
    const text = without(this.#text, other);
    this.type(text, text.length);
  }

  /**
   * Backspace: right after accepting, the words come back and stay words; right behind a token that counts, it becomes
   * words. Null: it deletes text as usual. `restored`: the token that no longer counts.
   */
  back(caret: number): { readonly restored: Token | null } | null {
    if (this.#last !== null) {
      const { token, text } = this.#last;
      this.#accepted.splice(this.#accepted.indexOf(token), 1);
      this.#refuse(token);
      this.type(text, text.length);
      return { restored: token };
    }
    const token = this.#tokens.find((one) => one.end === caret && this.counts(one));
    if (!token || this.#isDeleting) return null;
    this.refuse(token);
    this.#isDeleting = true;
    return { restored: null };
  }

  /** Turns a token into plain words for good; an accepted one comes back as words, one without words is removed. */
  refuse(token: Token): void {
    const at = this.#accepted.indexOf(token);
    if (at >= 0 && token.text === '') {
      this.#accepted.splice(at, 1);
      return;
    }
    this.#refuse(token);
    if (at >= 0) {
      this.#accepted.splice(at, 1);
      const gap = this.#text === '' || this.#text.endsWith(' ') ? '' : ' ';
      const text = `${this.#text}${gap}${token.text}`;
      this.type(text, text.length);
    } else this.type(this.#text, this.#caret);
  }

  /** The line is written on with the words that were taken out of it; they stay words. */
  reopen(text: string): void {
    for (const token of this.#accepted.splice(0)) this.#refuse(token);
    this.#last = null;
    this.type(text, text.length);
  }

  /** Turns tokens of the text into plain words for good. False: there are none. */
  keepWords(tokens: readonly Token[]): boolean {
    for (const token of tokens) this.#refuse(token);
    this.type(this.#text, this.#caret);
    return tokens.length > 0;
  }

  /** The whole line as it could have been typed, with what was accepted or chosen; `say` names what has no words of its own. */
  words(say: (token: Token) => string): string {
    const taken = this.#accepted.map((token) => (token.text === '' ? say(token) : token.text));
    return [this.#text.trim(), ...taken].filter((part) => part !== '').join(' ');
  }

  /** The resulting title and tokens. */
  finish(): { readonly title: string; readonly tokens: readonly Token[] } {
    const counting = this.#tokens.filter((token) => this.counts(token));
    for (const token of counting) this.#put(token);
    return { title: withoutRanges(this.#text, counting), tokens: [...this.#accepted] };
  }

  /** A later token of the same kind replaces the earlier; labels add up. */
  #put(token: Token): void {
    const same = this.#accepted.findIndex(({ kind }) => kind === token.kind && kind !== 'label');
    if (same >= 0) this.#accepted.splice(same, 1);
    this.#accepted.push(token);
  }

  #refuse(token: Token): void {
    this.#literal.add(keyOf(token));
  }

  #isLiteral(token: Token): boolean {
    return this.#literal.has(keyOf(token));
  }
}

const keyOf = ({ kind, text }: Token) => `${kind} ${text.toLowerCase()}`;

/** The task of a line and the notes beside it. A line of nothing but tokens is a title, unless there are notes. */
export function finishTask(
  line: TokenLine,
  notes: string,
): { readonly title: string; readonly tokens: readonly Token[] } {
  const whole = line.text.trim();
  const { title, tokens } = line.finish();
  const isTitled = title.trim() !== '' || notes.trim() !== '';
  return isTitled ? { title: title.trim(), tokens } : { title: whole, tokens: [] };
}

/** The text without the words of a token, with one space in their place. */
function without(text: string, { start, end }: Token): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const isDouble = after.startsWith(' ') && (before === '' || before.endsWith(' '));
  return before + (isDouble ? after.slice(1) : after);
}
