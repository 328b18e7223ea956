// Words that are longer than any screen: base64, logs, mistakes. With the kerning of our typeface the browser needs half a minute to
// break a word of 262,144 letters into lines, and without it none that is felt.

const LONG = 1_000;
const LONG_WORD = new RegExp(String.raw`\S{${LONG}}`);

/** How a text with this part is drawn: without kerning where it has a very long word. */
export const kerningOf = (text: string): 'none' | undefined =>
  text.length >= LONG && LONG_WORD.test(text) ? 'none' : undefined;

/** So many letters of a long word stand between two places where it may break. */
const PIECE = 500;
const PIECES = new RegExp(String.raw`\S{${PIECE}}(?=\S)`, 'gu');

/**
 * A text in pieces between which it may break, each with its offset. Of letters that join, as Arabic ones do, the browser
 * shapes the rest of the word again for every line, unless there is such a place.
 */
export function breakable(text: string): readonly { readonly text: string; readonly at: number }[] {
  if (kerningOf(text) === undefined) return [{ text, at: 0 }];
  const ends = [...text.matchAll(PIECES)].map(({ index, 0: piece }) => index + piece.length);
  return [0, ...ends].map((at, index) => ({ text: text.slice(at, ends[index]), at }));
}
