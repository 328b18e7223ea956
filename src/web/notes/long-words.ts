// Words that are longer than any screen: base64, logs, mistakes. With the kerning of our typeface the browser needs half a minute to
// break a word of 262,144 letters into lines, and without it none that is felt.

const LONG = 1_000;
const LONG_WORD = new RegExp(String.raw`\S{${LONG}}`);

/** How a text with this part is drawn: without kerning where it has a very long word. */
export const kerningOf = (text: string): 'none' | undefined =>
  text.length >= LONG && LONG_WORD.test(text) ? 'none' : undefined;
