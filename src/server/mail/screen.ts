// Screens a message while it arrives: line ends that two servers may read differently, and headers of automatic answers or
// mail loops. What it finds is refused while the sender is still connected.
import { readHeaders, scanLimits } from './scan.ts';

const DOT = 46;
const CR = 13;
const LF = 10;
const MOST_HOPS = 50;

export type Objection = 'line ends' | 'automatic answer' | 'loop';

const isLineEnd = (byte: number | undefined) => byte === CR || byte === LF;

export class MessageScreen {
  #head: Uint8Array[] = [];
  #headBytes = 0;
  /** The last four bytes before; a message begins like a line. */
  #tail = Buffer.from([CR, LF, CR, LF]);
  #hasLooseDot = false;

  push(part: Uint8Array): void {
    if (this.#headBytes < scanLimits.headerBytes) {
      this.#head.push(Uint8Array.from(part.subarray(0, scanLimits.headerBytes)));
      this.#headBytes += part.length;
    }
    if (this.#hasLooseDot) return;
    const seen = Buffer.concat([this.#tail, part]);
    // Two bytes on either side of a dot matter: the last two are checked with the next chunk.
    for (let at = seen.indexOf(DOT, 2); at >= 0 && at < seen.length - 2; at = seen.indexOf(DOT, at + 1))
      if (this.#isLoose(seen, at)) this.#hasLooseDot = true;
    this.#tail = Buffer.from(seen.subarray(-4));
  }

  /** After the last part; null: no objection. */
  objection(): Objection | null {
    this.push(Uint8Array.from([CR, LF, CR, LF]));
    if (this.#hasLooseDot) return 'line ends';
    const { fields, hops } = readHeaders(Buffer.concat(this.#head));
    if (hops > MOST_HOPS) return 'loop';
    const isAnswer =
      /^auto-replied\b/i.test(fields.get('auto-submitted') ?? '') ||
      /^auto_?reply\b/i.test(fields.get('precedence') ?? '') ||
      fields.has('x-autoreply') ||
      fields.has('x-autorespond');
    return isAnswer ? 'automatic answer' : null;
  }

  /**
   * A dot alone on a line whose ends are not both CRLF: some servers end a message there and take the rest for commands
   * (SMTP smuggling).
   */
  #isLoose(bytes: Buffer, at: number): boolean {
    const [before, after] = [bytes[at - 1], bytes[at + 1]];
    if (!isLineEnd(before) || !isLineEnd(after)) return false;
    const isWhole = before === LF && bytes[at - 2] === CR && after === CR && bytes[at + 2] === LF;
    return !isWhole;
  }
}
