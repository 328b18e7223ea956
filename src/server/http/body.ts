// Reads request bodies up to a size limit, which also applies after decompression: JSON, and forms where a route takes
// them.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { failed, ok, type Result } from '#core/result.ts';
import { refusal } from './answer.ts';
import type { BodyRule } from './route.ts';

const inflate = promisify(gunzip);

/** The parsed body, or the answer to a request without a readable one. */
type BodyResult = Result<unknown, Response>;

const tooLarge = (maxBytes: number) =>
  failed(refusal('too_large', `The body is larger than ${maxBytes} bytes.`));

/** Null: more than `maxBytes`. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > maxBytes) return null;
    // The HTTP parser enforces the declared length.
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Uint8Array): BodyResult {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return failed(refusal('invalid', "The body isn't UTF-8."));
  }
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    return failed(refusal('invalid', "The body isn't JSON."));
  }
}

const inAddress = () =>
  failed(refusal('unsupported_media_type', 'Send parameters in the address, as a form, or as flat JSON.'));

/** Names and texts of a flat JSON object; null: it is not one. */
function flatParameters(body: unknown): URLSearchParams | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const given = Object.entries(body).filter(([, value]) => value !== null);
  if (given.some(([, value]) => typeof value === 'object')) return null;
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/** Parameters in the body of a GET, which a Request cannot have: they are read from the connection. Undefined: none. */
export async function readParameters(
  arriving: Readonly<AsyncIterable<Uint8Array>> | undefined,
  request: Request,
  maxBytes: number,
): Promise<BodyResult> {
  const { headers } = request;
  const isThere = Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
  if (!isThere || arriving === undefined) return ok(undefined);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of arriving) {
    length += part.length;
    if (length > maxBytes) return tooLarge(maxBytes);
    parts.push(part);
  }
  if (length === 0) return ok(undefined);
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const bytes = Buffer.concat(parts);
  if (type === 'application/x-www-form-urlencoded') return ok(new URLSearchParams(bytes.toString()));
  const read = type === 'application/json' ? parseJson(bytes) : null;
  const body = read?.ok ? flatParameters(read.value) : null;
  return body === null ? inAddress() : ok(body);
}

/** The parsed body; undefined when it is empty. */
export async function readBody(request: Request, rule: BodyRule): Promise<BodyResult> {
  if (rule.type === 'none' || rule.type === 'parameters') return ok(undefined);
  const { maxBytes } = rule;
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  const takesGzip = rule.type === 'json' && rule.gzip === true;
  if (encoding !== 'identity' && !(takesGzip && encoding === 'gzip'))
    return failed(
      refusal('unsupported_media_type', "This Content-Encoding isn't supported. Use gzip or none."),
    );
  if (rule.type === 'stream')
    return Number(request.headers.get('content-length') ?? 0) > maxBytes
      ? tooLarge(maxBytes)
      : ok(request.body ?? undefined);
  const bytes = await readBytes(request, maxBytes);
  if (bytes === null) return tooLarge(maxBytes);
  if (bytes.length === 0) return ok(undefined);
  if (rule.type === 'raw') return ok(bytes);
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (rule.type === 'form') {
    if (type !== 'application/x-www-form-urlencoded')
      return failed(refusal('unsupported_media_type', 'Send the body as a form.'));
    const fields = new URLSearchParams(new TextDecoder().decode(bytes));
    return ok(Object.fromEntries(fields));
  }
  if (type !== 'application/json') {
    const read = rule.isNamedAnyhow && encoding === 'identity' ? parseJson(bytes) : null;
    return read?.ok ? read : failed(refusal('unsupported_media_type', 'Send the body as application/json.'));
  }
  if (encoding === 'identity') return parseJson(bytes);
  const inflated = await decompress(bytes, maxBytes);
  if (inflated === 'too large') return tooLarge(maxBytes);
  return inflated === 'damaged' ? failed(refusal('invalid', "The body isn't gzip.")) : parseJson(inflated);
}
