// What comes from outside is read in a time that grows with its length alone: every reader, with pieces that invite it to look at
// the same text again and again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { completions } from '#core/titles/names.ts';
import { readTokens } from '#core/titles/tokens.ts';
import { readKeyFile } from '#client/keys/exchange.ts';
import { readLink } from '#client/links/read.ts';
import { taskText } from '#client/text/long-text.ts';
import { drawnText, hasSigns } from '#core/markdown/drawn.ts';
import { linksIn } from '#core/markdown/links.ts';
import { readNote, withBoxToggled } from '#core/markdown/reading.ts';
import { readOwnTokens } from '#client/settings/own-look.ts';
import { readUnsent } from '#client/sync-status/unsent-reading.ts';
import { findRepeat } from '#core/titles/repeats.ts';
import { readDate, readDuration } from '#core/dates/phrase.ts';
import { findDate } from '#core/titles/dates.ts';
import { plainContext } from '#core/dates/plain-context.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { parseCsv } from '#core/formats/csv.ts';
import { decodeText } from '#core/formats/decode-text.ts';
import { fileKind } from '#core/formats/file-kind.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { escapeMarkdown } from '#core/formats/markdown.ts';
import { parseOpml } from '#core/formats/opml.ts';
import { parseOutlineText, printOutlineText } from '#core/formats/outline-text.ts';
import { parseTodoTxt } from '#core/formats/todo-txt.ts';
import { parseQuery } from '#core/search/parse.ts';
import { draftOf } from '#server/mail/draft.ts';
import { textOfHtml } from '#server/mail/html-text.ts';
import { scanMessage } from '#server/mail/scan.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';

const context = plainContext(Date.UTC(2026, 10, 20, 14, 30), 'UTC');
const options = { vocabulary: english };
const names = () => ({ labels: [], lists: [] });
const encoder = new TextEncoder();

const inXml = (text: string) => text.replaceAll(/[&<"\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const todoist = (cell: string) =>
  `TYPE,CONTENT,PRIORITY,INDENT,DATE\ntask,"${cell.replaceAll('"', '""')}",1,1,\n`;

async function readMail(text: string): Promise<void> {
  const raw = encoder.encode(text);
  draftOf(await PostalMime.parse(raw), raw);
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  OPML: parseOpml,
  'OPML, within': (text) => parseOpml(`<opml><body>${text}</body></opml>`),
  'OPML, document type': (text) => parseOpml(`<!DOCTYPE opml [${text}`),
  'OPML, a title': (text) => parseOpml(`<opml><body><outline text="${inXml(text)}"/></body></opml>`),
  'OPML, tags that close others': (text) =>
    parseOpml(`<opml>${'<a>'.repeat(text.length / 8)}${'</b>'.repeat(text.length / 8)}`),
  CSV: parseCsv,
  'CSV, headings': (text) => parseCsv(`title,${text}`),
  'CSV, a title of Todoist': (text) => parseCsv(todoist(text)),
  'todo.txt': parseTodoTxt,
  'outline text': (text) => printOutlineText(parseOutlineText(text), 'checkbox'),
  'Markdown, escaped': escapeMarkdown,
  'bytes of UTF-8': (text) => decodeText(encoder.encode(text)),
  'bytes of Latin-1': (text) => decodeText(Buffer.from(text, 'latin1')),
  'bytes of UTF-16': (text) => decodeText(Buffer.from(text, 'utf16le')),
  'kind of file': (text) => fileKind('', text),
  JSON: (text) => parseJson(text, { names: registerNames, check: checkRegister }),
  'unsent changes': readUnsent,
  'keys from a file': readKeyFile,
  'look of one’s own': readOwnTokens,
  date: (text) => readDate(text, context, options),
  'date in a title': (text) => findDate(text, context, options),
  length: (text) => readDuration(text, options),
  repeat: (text) => readRepeat(text, context, options),
  'repeat in a title': (text) => findRepeat(text, context, options),
  query: (text) => parseQuery(text),
  'quick entry': (text) => readTokens(text, context, { names }),
  'names begun': (text) => completions(text, text.length, names),
  note: readNote,
  'box in a note': (text) => withBoxToggled(`- [ ] a\n${text}`, 3),
  'links in a note': linksIn,
  'addresses in a text': (text) => drawnText(`https://a${text}x`),
  'signs of Markdown': (text) => hasSigns(`x${text}x`),
  'link into the app': (text) => readLink(`web+posthaste://task?title=${text}`),
  'long title': taskText,
  'HTML of mail': textOfHtml,
  mail: (text) => readMail(`Subject: a\n\n${text}`),
  'headers of mail': (text) => readMail(`Subject: ${text}\nContent-Type: ${text}\n\nb`),
  'HTML mail': (text) => readMail(`Content-Type: text/html\n\n${text}`),
  'mail, before it is parsed': (text) => scanMessage(encoder.encode(`From: ${text}\n\nb`)),
};

const PIECES: readonly string[] = [
  'a',
  ' ',
  '\t',
  '\n',
  '\r',
  'a ',
  ' \n',
  '\n ',
  '0',
  '1 ',
  '"',
  '","',
  "'",
  ',',
  ';',
  '<',
  '<!',
  '<a ',
  '</a>',
  '<!--',
  '<![CDATA[',
  '<?',
  '<br ',
  '&',
  '&#',
  '&lt;',
  '&#32;',
  '[',
  ']',
  '[](',
  '![',
  '(',
  '*',
  '**',
  '* ',
  '_',
  '`',
  '~',
  '# ',
  '- [ ] ',
  '>',
  '|',
  '\\',
  '{"a":',
  '/',
  'http://',
  'www.',
  'a@',
  '@a ',
  '#a ',
  '+a ',
  '=?',
  '--a\n',
  'a: ',
  '\u200B',
  'é',
  '🎉',
  'every ',
  'mon ',
  'jan 1 ',
  'at 9 ',
  'and ',
  'due:',
  'NOT ',
  '(a ',
  '[[file ',
  '[[file {"a":',
];
const CHARACTERS = 6_000;
const TIMES = 4;
/** Linear work takes 4 times as long, with memory that no longer fits the caches up to three times that; quadratic 16 and more. */
const MOST = 12;
/** What is as quick as this with the longer text is not looked at. */
const QUICK_MS = 25;

async function msOf(read: (text: string) => unknown, text: string): Promise<number> {
  const started = process.threadCpuUsage();
  try {
    await read(text);
  } catch (error) {
    // The parser of mail says so where a message is built to harm; the thread that runs it expects that.
    if (!/nesting|header/i.test(String(error))) throw error;
  }
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}

/** The least of some attempts: what is quadratic is far beyond in every one. */
async function ratioOf(read: (text: string) => unknown, piece: string): Promise<number> {
  const small = piece.repeat(CHARACTERS / piece.length);
  const large = small.repeat(TIMES);
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && ratio > MOST; attempt += 1) {
    const largeMs = await msOf(read, large);
    if (largeMs < QUICK_MS) return 1;
    ratio = Math.min(ratio, largeMs / Math.max(1, await msOf(read, small)));
  }
  return ratio;
}

describe('reading what comes from outside', () => {
  for (const [name, read] of Object.entries(readers))
    test(`[FLOW-9] ${name}: four times the text takes no more than some four times the work`, async () => {
      for (const piece of PIECES) {
        const ratio = await ratioOf(read, piece);
        assert.ok(ratio <= MOST, `${JSON.stringify(piece)}: ${ratio.toFixed(1)} times`);
      }
    });
});
