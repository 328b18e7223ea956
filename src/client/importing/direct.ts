// An importer without a worker: for the command line and for tests.
import type { Importer, ImportSource } from './port.ts';
import { ImportSession, type SessionPorts } from './session.ts';

/** What reads itself, such as a Blob. */
interface Readable {
  arrayBuffer(): Promise<ArrayBuffer>;
}

const isReadable = (content: unknown): content is Readable =>
  typeof content === 'object' && content !== null && 'arrayBuffer' in content;

async function bytesOf({ name, content }: ImportSource): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  if (isReadable(content)) return new Uint8Array(await content.arrayBuffer());
  throw new TypeError(`${name} has no content.`);
}

/** Reads and plans where it is called. */
export function directImporter(ports: SessionPorts): Importer {
  const session = new ImportSession(ports);
  return {
    read: (sources, context, hear) =>
      session.read(
        sources.map((source) => ({
          name: source.name,
          size: source.size,
          ...(source.writtenAt === undefined ? {} : { writtenAt: source.writtenAt }),
          bytes: () => bytesOf(source),
        })),
        context,
        hear,
      ),
    plan: (options, context) => Promise.resolve(session.plan(options, context)),
    portion: (from, count) => Promise.resolve(session.portion(from, count)),
    end: () => undefined,
  };
}
