// Turns a parsed message into a title, notes and files, within the limits of tasks. Nothing is left out: text that does not
// fit into the notes is attached as a file. Pure; runs in the worker that parsed the message.
import { limits } from '#core/model.ts';
import { safeFileName } from '#core/file-types.ts';
import { fileLimits } from '#wire/files.ts';
import { textOfHtml } from './html-text.ts';

export interface DraftFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface Draft {
  readonly title: string;
  readonly notes: string;
  /** Address of the sender according to the message; empty: none. */
  readonly from: string;
  readonly files: readonly DraftFile[];
}

/** The used parts of a parsed message. */
export interface ParsedMail {
  readonly from?: { readonly address?: string | undefined } | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments: readonly {
    readonly filename: string | null;
    readonly mimeType: string;
    readonly content: ArrayBuffer | Uint8Array | string;
  }[];
}

const LONGEST_TITLE = 1_000;
const UNTITLED = 'Email without a subject';
/** All files of a task but one: the last place is for the whole message. */
const MOST_FILES = fileLimits.perTask - 1;
const WHOLE = 'Message.eml';

const KNOWN_NAMES: Readonly<Record<string, string>> = {
  'message/rfc822': 'Message.eml',
  'text/calendar': 'Invitation.ics',
  'text/plain': 'Text.txt',
  'text/html': 'Page.html',
  'image/png': 'Picture.png',
  'image/jpeg': 'Picture.jpg',
  'image/gif': 'Picture.gif',
  'application/pdf': 'Document.pdf',
};

const CONTROLS =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text that can be stored, without invisible or misleading characters. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROLS, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

const oneLine = (text: string) => cleanText(text).replaceAll(/\s+/g, ' ');

function cut(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  const letters = [...text];
  return letters.length <= codePoints ? text : `${letters.slice(0, codePoints - 1).join('')}…`;
}

function cutBytes(text: string, mostBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= mostBytes) return text;
  // Removes what remains of a character that was cut.
  return new TextDecoder().decode(bytes.subarray(0, mostBytes)).replace(/\ufffd$/, '');
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return new Uint8Array(content);
}

function fileOf({ filename, mimeType, content }: ParsedMail['attachments'][number]): DraftFile {
  const type = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/.test(mimeType) ? mimeType : 'application/octet-stream';
  const given = filename === null ? '' : oneLine(filename);
  return { name: safeFileName(given || (KNOWN_NAMES[type] ?? 'file')), type, content: bytesOf(content) };
}

function bodyOf({ text = '', html = '' }: ParsedMail): string {
  const plain = cleanText(text);
  return plain === '' && html !== '' ? cleanText(textOfHtml(html)) : plain;
}

export function draftOf(mail: ParsedMail, whole: Uint8Array<ArrayBuffer>): Draft {
  const body = bodyOf(mail);
  const subject = oneLine(mail.subject ?? '');
  const [firstLine = ''] = body.split('\n', 1);
  const given = subject === '' ? oneLine(firstLine) : subject;
  const title = cut(given, LONGEST_TITLE) || UNTITLED;
  // A title that had to be cut is repeated in full above the text.
  const text = title === given || subject === '' ? body : `${subject}\n\n${body}`;
  const notes = cutBytes(text, limits.notesBytes);
  const files = mail.attachments.map(fileOf);
  const isAll = notes === text && files.length <= MOST_FILES;
  return {
    title,
    notes,
    from: cut(oneLine(mail.from?.address ?? ''), 320),
    files: isAll
      ? files
      : [...files.slice(0, MOST_FILES), { name: WHOLE, type: 'message/rfc822', content: whole }],
  };
}

/** For an unreadable message: it is attached as it came. */
export function unreadableDraft(whole: Uint8Array<ArrayBuffer>): Draft {
  return {
    title: 'Unreadable email',
    notes: "We couldn't turn an email to this list into text. The original is attached.",
    from: '',
    files: [{ name: WHOLE, type: 'message/rfc822', content: whole }],
  };
}
