// The Range header: which part of something is asked for.

/** A part of something, in bytes from its start. */
export interface Range {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Content, or a part of it. */
type Body = ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;

/** One range (RFC 9110, section 14.2). Null: none is asked for; 'unsatisfiable': it is outside the content. */
export function readRange(header: string | null, size: number): Range | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from > to || from >= size ? 'unsatisfiable' : { from, to };
}

/**
 * Answers with content of `size` bytes or with the part of it that is asked for. `read`: the content, or that part.
 */
export async function rangeAnswer(
  asked: string | null,
  size: number,
  headers: Readonly<Record<string, string>>,
  read: (range: Range | null) => Body | Promise<Body>,
): Promise<Response> {
  const range = readRange(asked, size);
  const all = { ...headers, 'accept-ranges': 'bytes' };
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...all, 'content-range': `bytes */${size}` } });
  if (range === null) {
    const body = size === 0 ? null : await read(null);
    return new Response(body, { headers: { ...all, 'content-length': String(size) } });
  }
  return new Response(await read(range), {
    status: 206,
    headers: {
      ...all,
      'content-length': String(range.to - range.from + 1),
      'content-range': `bytes ${range.from}-${range.to}/${size}`,
    },
  });
}
