// One line in which tokens are recognised while it is typed: what is suggested, what was accepted and what was refused.
// Pure: where the line is shown and what its tokens do is for others.
import type { Token } from './tokens.ts';

/**
 * `auto`: what is recognised counts unless it is refused. `suggest`: it counts once it is accepted. `signed`: what was said
 * with a sign (#label, @list) counts, the rest once it is accepted.
 */
export type TokenMode = 'auto' | 'signed' | 'suggest' | 'off';

interface Accepted {
  readonly token: Token;
  /** The line before. */
  readonly text: string;
}

/** One word of few letters may become another one. */
const MAY_GROW = /^\p{L}{1,4}$/u;

export class TokenLine {
  readonly #mode: TokenMode;
  readonly #read: (text: string) => readonly Token[];
  #text: string;
  #caret: number;
  #tokens: readonly Token[] = [];
  readonly #accepted: Token[] = [];
  readonly #literal = new Set<string>();
  /** What Backspace puts back; null once something was typed. */
  #last: Accepted | null = null;

  /** `original`: what the line held before: its words are left alone. */
  constructor(mode: TokenMode, read: (text: string) => readonly Token[], original = '') {
    this.#mode = mode;
    this.#read = read;
    this.#text = original;
    this.#caret = original.length;
    if (mode !== 'off' && original !== '') for (const token of read(original)) this.#refuse(token);
  }

  get text(): string {
    return this.#text;
  }

  get caret(): number {
    return this.#caret;
  }

  /** Taken out of the text, in the order in which they were accepted. */
  get accepted(): readonly Token[] {
    return this.#accepted;
  }

  /** Backspace puts back what was accepted last. */
  get canRestore(): boolean {
    return this.#last !== null;
  }

  /** Still in the text. What suggests keeps quiet while a short word may still grow. */
  get pending(): readonly Token[] {
    const grows = ({ end, text }: Token) =>
      end === this.#caret && end === this.#text.length && MAY_GROW.test(text);
    return this.#tokens.filter((token) => this.counts(token) || !grows(token));
  }

  /** What is to be shown: all but what was accepted before words that say another. */
  get shown(): readonly Token[] {
    const { pending } = this;
    const saysAnother = ({ kind }: Token) =>
      kind !== 'label' && pending.some((token) => token.kind === kind && this.counts(token));
    return [...this.#accepted.filter((token) => !saysAnother(token)), ...pending];
  }

  /** It is set as it stands; else it is only suggested. */
  counts(token: Token): boolean {
    if (this.#mode === 'auto' || this.#accepted.includes(token)) return true;
    return this.#mode === 'signed' && (token.kind === 'label' || token.kind === 'list');
  }

  type(text: string, caret: number): void {
    if (text !== this.#text) this.#last = null;
    this.#text = text;
    this.#caret = caret;
    this.#tokens = this.#mode === 'off' ? [] : this.#read(text).filter((token) => !this.#isLiteral(token));
  }

  /** Takes what is suggested out of the text, the first or the one given; null when there is none. */
  accept(chosen?: Token): Token | null {
    const token = chosen ?? this.pending.find((one) => !this.counts(one));
    if (!token || !this.#tokens.includes(token)) return null;
    const before = { token, text: this.#text };
    this.#put(token);
    const text = without(this.#text, token);
    this.type(text, text.length);
    this.#last = before;
    return token;
  }

  /** Something that was chosen instead of typed: no words of the line say it, and those that said another one go if they counted. */
  add(token: Token): void {
    const other = this.#tokens.find(
      (one) => one.kind === token.kind && one.kind !== 'label' && this.counts(one),
    );
    if (other) {
      const text = without(this.#text, other);
      this.type(text, text.length);
    }
    this.#put({ ...token, start: 0, end: 0, text: '' });
  }

  /**
   * Backspace: right after accepting, the words come back and stay words; right behind a token that would count, it
   * becomes words. Null when it is for the text. `restored`: that token does not count any more.
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
    if (!token) return null;
    this.refuse(token);
    return { restored: null };
  }

  /** The words of a token are words from now on; an accepted one comes back as them, one without words goes. */
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

  /** What the line comes to. */
  finish(): { readonly title: string; readonly tokens: readonly Token[] } {
    const counting = this.#tokens.filter((token) => this.counts(token));
    let title = this.#text;
    for (const token of counting.toReversed()) title = without(title, token);
    for (const token of counting) this.#put(token);
    return { title: counting.length === 0 ? title : title.trim(), tokens: [...this.#accepted] };
  }

  /** A later one of the same kind replaces the earlier; labels add up. */
  #put(token: Token): void {
    const same = this.#accepted.findIndex(({ kind }) => kind === token.kind && kind !== 'label');
    if (same >= 0) this.#accepted.splice(same, 1);
    this.#accepted.push(token);
  }

  #refuse(token: Token): void {
    this.#literal.add(`${token.kind} ${token.text.toLowerCase()}`);
  }

  #isLiteral(token: Token): boolean {
    return this.#literal.has(`${token.kind} ${token.text.toLowerCase()}`);
  }
}

/** What a line and the notes beside it come to as a task. A line of nothing but tokens is a title, unless there are notes. */
export function finishTask(
  line: TokenLine,
  notes: string,
): { readonly title: string; readonly tokens: readonly Token[] } {
  const whole = line.text.trim();
  const { title, tokens } = line.finish();
  const isTitled = title.trim() !== '' || notes.trim() !== '';
  return isTitled ? { title: title.trim(), tokens } : { title: whole, tokens: [] };
}

/** The text without the words of a token, and with one space where they stood. */
function without(text: string, { start, end }: Token): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const isDouble = after.startsWith(' ') && (before === '' || before.endsWith(' '));
  return before + (isDouble ? after.slice(1) : after);
}
