// Objects in S3-compatible storage by their keys: what is asked of it, signed, and which answers are failures. Not here: what the
// objects are.
import { AwsClient } from 'aws4fetch';

/** `s3://key:secret@endpoint/bucket?region=eu-central-1`, or `http://` and `https://` with the same parts. */
export interface BucketLocation {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly region: string;
}

/** The bucket of a URL; null: a part is missing. Throws when it is no URL. */
export function parseBucket(text: string): BucketLocation | null {
  const url = new URL(text.replace(/^s3:/, 'https:'));
  const bucket = url.pathname.replace(/^\/|\/$/g, '');
  if (bucket === '' || url.username === '' || url.password === '') return null;
  return {
    url: `${url.protocol}//${url.host}/${bucket}`,
    key: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
  };
}

/** How long it may take to answer, and for what is sent to get there over a slow line. */
const ANSWER_MS = 20_000;
const SLOWEST_BYTES_PER_MS = 50;

const bytesOf = (body: RequestInit['body']): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : ArrayBuffer.isView(body) ? body.byteLength : 0;

/** An object, as a list tells of it. */
export interface ListedObject {
  readonly key: string;
  /** Milliseconds. */
  readonly at: number;
}

/** One bucket. */
export class Bucket {
  readonly #url: string;
  readonly #client: AwsClient;
  readonly #answerMs: number;

  /** `answerMs`: another patience than usual only in tests. */
  constructor({ url, key, secret, region }: BucketLocation, { answerMs = ANSWER_MS } = {}) {
    this.#url = url;
    this.#answerMs = answerMs;
    this.#client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: 's3' });
  }

  /** Objects whose keys begin with `prefix`, in the order of their keys. */
  async *list(prefix = ''): AsyncIterable<ListedObject> {
    let token = '';
    do {
      const from = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`;
      const beneath = prefix === '' ? '' : `&prefix=${encodeURIComponent(prefix)}`;
      const text = await (await this.ask('GET', `?list-type=2${beneath}${from}`, {})).text();
      for (const [, content = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = /<Key>([^<]+)<\/Key>/.exec(content)?.[1];
        const at = Date.parse(/<LastModified>([^<]+)</.exec(content)?.[1] ?? '');
        if (key !== undefined) yield { key, at };
      }
      token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1] ?? '';
    } while (token !== '');
  }

  /** Rejects on any answer that is neither good nor expected, and where none begins in time. */
  async ask(
    method: string,
    path: string,
    init: RequestInit,
    expected: readonly number[] = [],
  ): Promise<Response> {
    const to = path.startsWith('?') ? `${this.#url}${path}` : `${this.#url}/${path}`;
    const late = new AbortController();
    const silent = new Error('The storage of files doesn’t answer');
    const patienceMs = this.#answerMs + bytesOf(init.body) / SLOWEST_BYTES_PER_MS;
    const timer = setTimeout(() => late.abort(silent), patienceMs);
    const response = await this.#client
      .fetch(to, { ...init, method, signal: late.signal })
      .finally(() => clearTimeout(timer));
    if (response.ok || expected.includes(response.status)) return response;
    await response.body?.cancel();
    throw new Error(`The storage of files answered ${response.status}`);
  }
}
