// People named in a comment. They are stored as `@[account number]`, so that a mention goes on meaning its person whatever they
// are called later. Not here: who the people are (their `member` rows).

/** Somebody who can be named. */
export interface Mentionable {
  readonly account: number;
  readonly name: string;
}

/** A piece of a comment: words, or a person. */
export type CommentPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'person'; readonly account: number };

/** Setting of a person: false, if mentions and assignments are not to be told outside the app. */
export const tellingSetting = 'tellsMentions';

const MENTION = /@\[(\d{1,15})\]/g;

/** The pieces of a stored comment in order; together they are all of it. */
export function commentPieces(text: string): readonly CommentPiece[] {
  const pieces: CommentPiece[] = [];
  let at = 0;
  for (const found of text.matchAll(MENTION)) {
    if (found.index > at) pieces.push({ type: 'text', text: text.slice(at, found.index) });
    pieces.push({ type: 'person', account: Number(found[1]) });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ type: 'text', text: text.slice(at) });
  return pieces;
}

/** Account numbers of the people named in a stored comment, each once. */
export function mentionedIn(text: string): readonly number[] {
  return [
    ...new Set(commentPieces(text).flatMap((piece) => (piece.type === 'person' ? [piece.account] : []))),
  ];
}

/** A stored comment as it is read and written by hand: with names. `nameOf` gives null for somebody unknown. */
export function withNames(text: string, nameOf: (account: number) => string | null): string {
  return text.replaceAll(MENTION, (token, account: string) => {
    const name = nameOf(Number(account));
    return name === null ? token : `@${name}`;
  });
}

/** A comment as it is stored: each `@Name` of one of these people is that person. Of equal names the first one counts. */
export function withMentions(text: string, people: readonly Mentionable[]): string {
  const named = people.filter(({ name }) => name.trim() !== '');
  // "@Ann Lee" is not Ann.
  const longestFirst = named.toSorted((a, b) => b.name.length - a.name.length);
  let stored = '';
  let at = 0;
  while (at < text.length) {
    const found = isStart(text, at)
      ? longestFirst.find(({ name }) => isNamed(text, at + 1, name))
      : undefined;
    stored += found === undefined ? (text[at] ?? '') : `@[${found.account}]`;
    at += found === undefined ? 1 : found.name.length + 1;
  }
  return stored;
}

const WORD = /[\p{L}\p{N}_]/u;

/** An at sign that no word ends in: "ann@example.org" names nobody. */
function isStart(text: string, at: number): boolean {
  return text[at] === '@' && (at === 0 || !WORD.test(text[at - 1] ?? ''));
}

function isNamed(text: string, at: number, name: string): boolean {
  const said = text.slice(at, at + name.length);
  return said.toLowerCase() === name.toLowerCase() && !WORD.test(text[at + name.length] ?? '');
}

/** The beginning of a name that is being typed before the caret: `at` is the at sign. Null: none is. */
export function mentionBefore(
  text: string,
  caret: number,
): { readonly at: number; readonly typed: string } | null {
  const at = text.lastIndexOf('@', caret - 1);
  if (at < 0 || !isStart(text, at)) return null;
  const typed = text.slice(at + 1, caret);
  return typed.length > 40 || /[\n@[\]]/.test(typed) ? null : { at, typed };
}
