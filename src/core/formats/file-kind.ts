// Tells lines of text from what must not be imported as lines, by the content first and the name second. Formats of other programs
// are told by import/formats.ts, which comes first; bytes by decode-text.ts.

/** What a text is that is no file of another program (import/formats.ts tells those). */
export type FileKind =
  /** `lines`: an outline, a list, prose. */
  | { readonly type: 'json' | 'lines' }
  /** `problem` follows the name of the file in a sentence. */
  | { readonly type: 'unread'; readonly problem: string };

/** Number of first characters that are searched for signs of a format. */
const HEAD = 4_000;

const NO_COLUMNS =
  'needs column names in its first line, including “title.” Others: notes, due, start, labels, done, list.';
const NAMED: readonly (readonly [ending: RegExp, what: string])[] = [
  [/\.opml$/i, 'an OPML file'],
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
  const look = LOOKS.find(([pattern]) => pattern.test(head));
  if (look) return unread(look[1]);
  if (/\.(?:csv|tsv)$/i.test(name)) return { type: 'unread', problem: NO_COLUMNS };
  if (/\.json$/i.test(name) || isJson(text)) return { type: 'json' };
  const named = NAMED.find(([pattern]) => pattern.test(name));
  if (named) return unread(named[1]);
  return { type: 'lines' };
}
