// Reads request bodies: at most so many bytes, also when they come compressed; JSON, and forms where a route takes them.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { refusal } from './answer.ts';
import type { BodyRule } from './route.ts';

const inflate = promisify(gunzip);

export type BodyResult =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly response: Response };

const fail = (response: Response): BodyResult => ({ ok: false, response });
const tooLarge = (maxBytes: number) =>
  fail(refusal('too_large', `The body is larger than ${maxBytes} bytes.`));

/** Null when there is more than `maxBytes`. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > maxBytes) return null;
    // The HTTP parser holds a body to its declared length.
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > maxBytes ? null : bytes;
  }
  if (request.body === null) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function decompress(
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | 'too large' | 'damaged'> {
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isBomb =
      error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return isBomb ? 'too large' : 'damaged';
  }
}

function parseJson(bytes: Uint8Array): BodyResult {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail(refusal('invalid', 'The body is not UTF-8.'));
  }
  try {
    return { ok: true, body: JSON.parse(text) as unknown };
  } catch {
    return fail(refusal('invalid', 'The body is not JSON.'));
  }
}

/** The parsed body; undefined when it is empty. */
export async function readBody(request: Request, rule: BodyRule): Promise<BodyResult> {
  if (rule.type === 'none') return { ok: true, body: undefined };
  const { maxBytes } = rule;
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  const takesGzip = rule.type === 'json' && rule.gzip === true;
  if (encoding !== 'identity' && !(takesGzip && encoding === 'gzip'))
    return fail(refusal('unsupported_media_type', 'This Content-Encoding is not understood here.'));
  if (rule.type === 'stream')
    return Number(request.headers.get('content-length') ?? 0) > maxBytes
      ? tooLarge(maxBytes)
      : { ok: true, body: request.body ?? undefined };
  const bytes = await readBytes(request, maxBytes);
  if (bytes === null) return tooLarge(maxBytes);
  if (bytes.length === 0) return { ok: true, body: undefined };
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (rule.type === 'form') {
    if (type !== 'application/x-www-form-urlencoded')
      return fail(refusal('unsupported_media_type', 'Send the body as a form does.'));
    const fields = new URLSearchParams(new TextDecoder().decode(bytes));
    return { ok: true, body: Object.fromEntries(fields) };
  }
  if (type !== 'application/json') {
    const read = rule.isNamedAnyhow && encoding === 'identity' ? parseJson(bytes) : null;
    return read?.ok ? read : fail(refusal('unsupported_media_type', 'Send the body as application/json.'));
  }
  if (encoding === 'identity') return parseJson(bytes);
  const inflated = await decompress(bytes, maxBytes);
  if (inflated === 'too large') return tooLarge(maxBytes);
  return inflated === 'damaged' ? fail(refusal('invalid', 'The body is not gzip.')) : parseJson(inflated);
}
