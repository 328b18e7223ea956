// A small object storage for tests: keeps objects in memory, lists them by prefix, and refuses what is not signed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BucketServer {
  /** For `BLOB_URL`. */
  readonly url: string;
  /** What is in the bucket, by key. */
  readonly objects: Map<string, Buffer>;
  /** From now on it answers everything with this status; null: as it should. */
  fail(status: number | null): void;
  close(): void;
}

const SIGNED = /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-test-1\/s3\/aws4_request/;

function listOf(objects: ReadonlyMap<string, Buffer>, prefix: string): string {
  const contents = [...objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .toSorted()
    .map(
      (key) => `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
    );
  return `<ListBucketResult>${contents.join('')}</ListBucketResult>`;
}

/** Resolves when it answers. */
export async function startBucket(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  let failing: number | null = null;
  const server = createServer((request, response) => {
    const received: Buffer[] = [];
    request.on('data', (part: Buffer) => received.push(part));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const key = decodeURIComponent(url.pathname.replace('/files/', ''));
      const answer = (status: number, body: Buffer | string = '', headers = {}) =>
        void response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
      if (failing !== null) return answer(failing);
      if (!SIGNED.test(request.headers.authorization ?? '')) return answer(403);
      if (url.searchParams.has('list-type'))
        return answer(200, listOf(objects, url.searchParams.get('prefix') ?? ''));
      const object = objects.get(key);
      if (request.method === 'PUT') {
        objects.set(key, Buffer.concat(received));
        return answer(200);
      }
      if (request.method === 'DELETE') return answer(objects.delete(key) ? 204 : 404);
      if (!object) return answer(404);
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      if (request.method === 'HEAD')
        return void response
          .writeHead(200, { 'content-length': object.length, 'last-modified': new Date().toUTCString() })
          .end();
      return from === undefined
        ? answer(200, object)
        : answer(206, object.subarray(Number(from), Number(to) + 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://key:se%2Fcret@127.0.0.1:${port}/files?region=eu-test-1`,
    objects,
    fail(status) {
      failing = status;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
