// Takes the Markdown out of titles, which are plain text here: words stay, addresses go to the notes.

const LINK = /!?\[([^[\]]{0,1000})\]\(((?:[^\s()]|\([^\s()]{0,1000}\)){1,4000})(?:\s+"[^"]{0,1000}")?\)/g;
const SPANS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}*])\*\*(?=\S)([^*]{1,1000}?)(?<=\S)\*\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])__(?=\S)([^_]{1,1000}?)(?<=\S)__(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]{1,1000}?)(?<=\S)\*(?![\p{L}\p{N}*])/gu,
  /~~(?=\S)([^~]{1,1000}?)(?<=\S)~~/g,
  /`([^`]{1,1000})`/g,
];

/** A title without its markup. */
export interface PlainTitle {
  readonly title: string;
  /** Addresses of its links that its words don't show, each once. */
  readonly addresses: readonly string[];
  readonly isFormatted: boolean;
}

/** Takes the markup out. Text in code is left alone only as far as marks in it are words. */
export function plainTitle(text: string): PlainTitle {
  if (!/[*_`~[]/.test(text)) return { title: text, addresses: [], isFormatted: false };
  const addresses = new Set<string>();
  let title = text.includes('](')
    ? text.replaceAll(LINK, (_whole, words: string, address: string) => {
        if (words.trim() !== address) addresses.add(address);
        return words.trim() === '' ? address : words;
      })
    : text;
  const linked = title;
  for (const span of SPANS) title = title.replaceAll(span, '$1');
  return {
    title,
    addresses: [...addresses].filter((address) => !title.includes(address)),
    isFormatted: title !== linked,
  };
}
