// A first scan of a message in time proportional to its length: its identity, to recognize it when it comes again, and
// whether it is built to make parsing take too long.
import { createHash } from 'node:crypto';

export const scanLimits = {
  headerBytes: 64 * 1024,
  headerLines: 500,
  /** Lines that may separate parts. */
  boundaryLines: 250,
  /** Different boundaries. */
  boundaries: 60,
  depth: 20,
} as const;

export interface Scan {
  /** As in the header; null: none, so that every copy is a separate message. */
  readonly messageId: string | null;
  /** Of the parts that relays do not change: sender, subject, date, and the content. */
  readonly digest: string;
  /** Why it is not parsed; null: it is. */
  readonly problem: 'headers' | 'parts' | null;
}

export interface HeaderBlock {
  /** The first of each name, in lower case; unfolded. */
  readonly fields: ReadonlyMap<string, string>;
  readonly lines: number;
  /** How often the message was relayed. */
  readonly hops: number;
  /** Where the content begins. */
  readonly end: number;
}

const LF = 10;
const LONGEST_ID = 998;

function endOfHeaders(raw: Uint8Array): number {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if (raw[0] === LF || (raw[0] === 13 && raw[1] === LF)) return 0;
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0);
  return ends.length === 0 ? raw.length : Math.min(...ends);
}

/** The header block of a message, or of the beginning of one. */
export function readHeaders(raw: Uint8Array): HeaderBlock {
  const end = endOfHeaders(raw);
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(end, 2 * scanLimits.headerBytes)).toString(
    'latin1',
  );
  const fields = new Map<string, string>();
  let hops = 0;
  const lines = text.split(/\r?\n/);
  let name = '';
  let value: string[] = [];
  const take = () => {
    if (name === 'received') hops += 1;
    if (name !== '' && !fields.has(name)) fields.set(name, value.join(' ').trim());
  };
  for (const line of lines) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      value.push(line.trim());
      continue;
    }
    take();
    const colon = line.indexOf(':');
    name = colon > 0 ? line.slice(0, colon).trimEnd().toLowerCase() : '';
    value = [line.slice(colon + 1).trim()];
  }
  take();
  return { fields, lines: lines.length, hops, end };
}

function hasTooManyParts(raw: Uint8Array): boolean {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  const boundaries = new Set<string>();
  for (const match of text.matchAll(/boundary\*?\d*\*?[ \t]{0,8}=[ \t]{0,8}"?([^"\r\n;]{1,200})/gi)) {
    boundaries.add((match[1] ?? '').trim());
    if (boundaries.size > scanLimits.boundaries) return true;
  }
  if (boundaries.size === 0) return false;
  let count = 0;
  for (let at = text.indexOf('--'); at >= 0; at = text.indexOf('\n--', at)) {
    const from = text[at] === '\n' ? at + 3 : at + 2;
    const isAtStart = from === 2 || text[at] === '\n';
    at = from;
    if (!isAtStart) continue;
    const line = /^[^\r\n]{0,210}/.exec(text.slice(from, from + 210))?.[0].trimEnd() ?? '';
    if (boundaries.has(line) || (line.endsWith('--') && boundaries.has(line.slice(0, -2)))) count += 1;
    if (count > scanLimits.boundaryLines) return true;
  }
  return false;
}

export function scanMessage(raw: Uint8Array): Scan {
  const { fields, lines, end } = readHeaders(raw);
  const digest = createHash('sha256');
  for (const name of ['from', 'subject', 'date']) digest.update(`${fields.get(name) ?? ''}\n`);
  digest.update(raw.subarray(end));
  const id = fields.get('message-id') ?? '';
  const isLong = end > scanLimits.headerBytes || lines > scanLimits.headerLines;
  return {
    messageId: id === '' || id.length > LONGEST_ID ? null : id,
    digest: digest.digest('hex'),
    problem: isLong ? 'headers' : hasTooManyParts(raw) ? 'parts' : null,
  };
}
