// Compresses answers with an encoding that the client accepts. Small ones stay as they are.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { TextAnswer } from './text-answer.ts';

const SMALLEST_BYTES = 1_024;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const zstd = promisify(zstdCompress);

export type Encoding = 'zstd' | 'br' | 'gzip';

const PREFERRED: readonly Encoding[] = ['zstd', 'br', 'gzip'];

/** The best of `offered` that an Accept-Encoding header allows; null for none. */
export function acceptedEncoding(
  header: string | null,
  offered: readonly Encoding[] = PREFERRED,
): Encoding | null {
  const qualityByName = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    qualityByName.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  const qualityOf = (name: string) => qualityByName.get(name) ?? qualityByName.get('*') ?? 0;
  let best: Encoding | null = null;
  for (const name of offered) if (qualityOf(name) > (best === null ? 0 : qualityOf(best))) best = name;
  return best;
}

function compressWith(encoding: Encoding, bytes: Uint8Array): Promise<Buffer> {
  // Levels for answers compressed on the fly: most of the gain in a small part of the time.
  if (encoding === 'zstd') return zstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
  if (encoding === 'gzip') return gzipped(bytes, { level: 5 });
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

export async function compressed(response: Response, acceptEncoding: string | null): Promise<Response> {
  const encoding = acceptedEncoding(acceptEncoding);
  if (response.body === null || response.headers.has('content-encoding')) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.append('vary', 'Accept-Encoding');
  if (encoding === null || bytes.length <= SMALLEST_BYTES)
    return new Response(bytes, { status: response.status, headers });
  headers.set('content-encoding', encoding);
  return new Response(new Uint8Array(await compressWith(encoding, bytes)), {
    status: response.status,
    headers,
  });
}

/** As `compressed`, in place. */
export async function compressText(answer: TextAnswer, acceptEncoding: string | null): Promise<void> {
  const encoding = acceptedEncoding(acceptEncoding);
  answer.headers.append('vary', 'Accept-Encoding');
  if (encoding === null || Buffer.byteLength(answer.body) <= SMALLEST_BYTES) return;
  answer.headers.set('content-encoding', encoding);
  answer.body = new Uint8Array(await compressWith(encoding, Buffer.from(answer.body as string)));
}
