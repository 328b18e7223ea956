// Turns the files in Todoist's comments, `[[file {"file_name": …}]]` and `[[file https://… "name"]]`, into links. The
// files themselves are elsewhere, and nothing here fetches them.
import { readJson } from '../json.ts';
import { escapeMarkdown } from './markdown.ts';

const OPENING = '[[file ';
const CLOSING = ']]';
/** Closing marks that are tried, since the JSON may contain one. */
const MOST_CLOSINGS = 5;
const PLAIN = /^(https?:\/\/\S+)(?:\s+"([^"]*)")?$/;

interface Attached {
  readonly name: string;
  readonly url: string;
}

function attachedIn(inner: string): Attached | null {
  const [, plainUrl, plainName] = PLAIN.exec(inner.trim()) ?? [];
  if (plainUrl !== undefined) return { name: plainName ?? '', url: plainUrl };
  const said = readJson(inner);
  if (typeof said !== 'object' || said === null) return null;
  const { file_name: name, file_url: fileUrl, url, title } = said as Readonly<Record<string, unknown>>;
  const textOf = (...values: readonly unknown[]) =>
    values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
  return { name: textOf(name, title), url: textOf(fileUrl, url) };
}

function linkTo({ name, url }: Attached): string {
  const words = escapeMarkdown(name);
  // Spaces and brackets would end the address.
  if (!/^https?:\/\/[^\s()<>]+$/i.test(url)) return words === '' ? 'Attached file' : words;
  return words === '' ? url : `[${words}](${url})`;
}

/** Replaces the files in a text with Markdown links. Unreadable ones stay as they are. Linear in the text. */
export function filesToLinks(text: string): string {
  if (!text.includes(OPENING)) return text;
  const parts: string[] = [];
  let done = 0;
  let open = -1;
  let tries = 0;
  let searched = 0;
  for (let close = text.indexOf(CLOSING); close >= 0; close = text.indexOf(CLOSING, close + 1)) {
    const nearest = text.slice(searched, close).lastIndexOf(OPENING);
    if (nearest >= 0) {
      open = searched + nearest;
      tries = 0;
    }
    searched = close;
    if (open < done || tries >= MOST_CLOSINGS) continue;
    tries += 1;
    const attached = attachedIn(text.slice(open + OPENING.length, close));
    if (attached === null) continue;
    parts.push(text.slice(done, open), linkTo(attached));
    done = close + CLOSING.length;
    open = -1;
  }
  return parts.join('') + text.slice(done);
}
