// A page of rows as bytes, as few and as quickly read as a page is: its columns one after the other. Not here: what the columns mean
// (row-page.ts), and encrypting them.
import { readJson } from '#core/json.ts';
import { concat, readU32, u32 } from '#core/sealing/bytes.ts';
import { pageTexts, type RowPage } from '../storage/row-page.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const LENGTH_BYTES = 4;

/** Texts whose surrogates aren't paired have no UTF-8: they go as JSON. */
interface Column {
  readonly bytes: number;
  readonly isJson?: true;
}

interface Head extends Pick<RowPage, 'count' | 'scopes' | 'gone'> {
  readonly columns: readonly Column[];
  readonly hasHops?: true;
}

function textBytes(text: string): { readonly column: Column; readonly bytes: Uint8Array } {
  const isWell = text.isWellFormed();
  const bytes = encoder.encode(isWell ? text : JSON.stringify(text));
  return { column: { bytes: bytes.length, ...(isWell ? {} : { isJson: true }) }, bytes };
}

const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

export function pageBytes(page: RowPage): Uint8Array<ArrayBuffer> {
  const { count, scopes, gone, scopeOf, numbers, hops } = page;
  const texts = pageTexts.map((name) => textBytes(page[name]));
  const head: Head = {
    count,
    scopes,
    gone,
    columns: texts.map(({ column }) => column),
    ...(hops && { hasHops: true }),
  };
  const first = encoder.encode(JSON.stringify(head));
  return new Uint8Array(
    concat(
      u32(first.length),
      first,
      bytesOf(numbers),
      bytesOf(scopeOf),
      ...(hops ? [bytesOf(hops)] : []),
      ...texts.map(({ bytes }) => bytes),
    ),
  );
}

/** The page, as one without a sum: not a bit of what opened is another one. Null where the bytes are none. */
export function readPageBytes(bytes: Uint8Array<ArrayBuffer>): RowPage | null {
  const first = readU32(bytes, 0);
  let at = LENGTH_BYTES + first;
  const head = readJson(decoder.decode(bytes.subarray(LENGTH_BYTES, at))) as Head | null;
  if (head === null) return null;
  const { count, scopes, gone, columns, hasHops } = head;
  const NUMBERS = 7;
  // A copy: numbers begin where numbers may begin.
  const take = (length: number) => bytes.slice(at, (at += length)).buffer;
  const numbers = new Float64Array(take(count * NUMBERS * Float64Array.BYTES_PER_ELEMENT));
  const scopeOf = new Uint16Array(take(count * Uint16Array.BYTES_PER_ELEMENT));
  const hops = hasHops && new Uint32Array(take(count * Uint32Array.BYTES_PER_ELEMENT));
  const texts = columns.map((column) => {
    const text = decoder.decode(bytes.subarray(at, (at += column.bytes)));
    return column.isJson ? String(readJson(text)) : text;
  });
  const named = Object.fromEntries(pageTexts.map((name, index) => [name, texts[index] ?? '']));
  const page = { format: 1, count, scopes, gone, scopeOf, numbers, ...named };
  return { ...page, ...(hops && { hops }) } as RowPage;
}
