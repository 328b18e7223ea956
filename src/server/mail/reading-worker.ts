// Parses messages in a separate thread: a message can only use up this thread's memory or time. Identifies a message before
// parsing it, so that its identity is known even when parsing never ends.
import { parentPort } from 'node:worker_threads';
import PostalMime from 'postal-mime';
import { draftOf, type Draft } from './draft.ts';
import { scanLimits, scanMessage, type Scan } from './scan.ts';

export type Said =
  | { readonly type: 'scanned'; readonly scan: Scan }
  /** Null: unreadable. */
  | { readonly type: 'read'; readonly draft: Draft | null };

/** All headers of all parts. */
const MOST_HEADER_BYTES = 512 * 1024;

async function draft(raw: Uint8Array<ArrayBuffer>): Promise<Draft | null> {
  try {
    const mail = await PostalMime.parse(raw, {
      maxNestingDepth: scanLimits.depth,
      maxHeadersSize: MOST_HEADER_BYTES,
      forceRfc822Attachments: true,
    });
    return draftOf(mail, raw);
  } catch {
    // Built to break the parser: the message itself is attached instead.
    return null;
  }
}

async function read(raw: Uint8Array<ArrayBuffer>): Promise<void> {
  const scan = scanMessage(raw);
  const say = (said: Said, moved: ArrayBuffer[] = []) => parentPort?.postMessage(said, moved);
  say({ type: 'scanned', scan });
  const done = scan.problem === null ? await draft(raw) : null;
  const contents = new Set(done?.files.map(({ content }) => content.buffer));
  say({ type: 'read', draft: done }, [...contents]);
}

parentPort?.on('message', (raw: Uint8Array<ArrayBuffer>) => void read(raw));
