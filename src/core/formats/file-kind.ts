// Tells the format of a text file, by its content first and its name second, so that no format is imported as lines of
// junk. Not here: bytes (decode-text.ts), and reading the formats.

/** Formats of other programs, of which the import shows first what they become. */
export type TableKind = 'opml' | 'csv' | 'todoTxt';

/** The format of a file. */
export type FileKind =
  /** `lines`: an outline, a list, prose. */
  | { readonly type: TableKind | 'json' | 'lines' }
  /** `problem` follows the name of the file in a sentence. */
  | { readonly type: 'unread'; readonly problem: string };

/** Whether the import shows a preview of the tasks first. */
export const isTableKind = (type: FileKind['type']): type is TableKind =>
  type === 'opml' || type === 'csv' || type === 'todoTxt';

/** Number of first characters that are searched for signs of a format. */
const HEAD = 4_000;

const NAMED: readonly (readonly [ending: RegExp, what: string])[] = [
  [/\.org$/i, 'an Org file'],
  [/\.taskpaper$/i, 'a TaskPaper file'],
  [/\.(?:ics|ical|ifb|vcs)$/i, 'a calendar file'],
  [/\.(?:html?|xhtml|mhtml)$/i, 'a web page'],
];
const LOOKS: readonly (readonly [look: RegExp, what: string])[] = [
  [/^\s*BEGIN:V(?:CALENDAR|TODO|EVENT)\b/i, 'a calendar file'],
  [/^\s*<(?:!doctype\s+html|html)\b/i, 'a web page'],
  [/^\s*<\?xml\b/i, 'an XML file'],
];
const TODO_TXT = /^(?:x \S|\([A-Z]\) |\d{4}-\d\d-\d\d \S)|\s(?:(?:due|t|rec):\S|[+@]\p{L})/mu;

const unread = (what: string): FileKind => ({
  type: 'unread',
  problem: `is ${what} that Posthaste can’t read. It reads text and Markdown with one task per line, its own JSON, and the files that the guide to importing lists.`,
});

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text.slice(0, HEAD))) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // "[ ] Buy milk" begins like JSON.
    return /^\s*\{\s*(?:"|\})/.test(text.slice(0, HEAD));
  }
}

/** The format of a text file. Never throws; linear in the text. Pasted or piped text has an empty name. */
export function fileKind(name: string, text: string): FileKind {
  const head = text.slice(0, HEAD);
  if (/<opml[\s>]/.test(head)) return { type: 'opml' };
  const look = LOOKS.find(([pattern]) => pattern.test(head));
  if (look) return unread(look[1]);
  if (/\.opml$/i.test(name)) return { type: 'opml' };
  if (/\.(?:csv|tsv)$/i.test(name)) return { type: 'csv' };
  if (/\.json$/i.test(name) || isJson(text)) return { type: 'json' };
  const named = NAMED.find(([pattern]) => pattern.test(name));
  if (named) return unread(named[1]);
  return { type: /(?:^|[./\\])(?:todo|done)\.txt$/i.test(name) && TODO_TXT.test(text) ? 'todoTxt' : 'lines' };
}
