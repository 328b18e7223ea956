// The text of a file: UTF-8, or UTF-16 where its first bytes say so or every other one is empty.

const SAMPLE_BYTES = 64;

/** Many zero bytes at even places: big endian; at odd ones: little. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes
    .subarray(0, SAMPLE_BYTES - (SAMPLE_BYTES % 2))
    .subarray(0, bytes.length - (bytes.length % 2));
  if (sample.length < 2) return null;
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const most = sample.length / 4;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : null;
}

/** Without its byte order mark. What is no character becomes the sign for that. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(utf16Of(bytes) ?? 'utf-8').decode(bytes);
}
