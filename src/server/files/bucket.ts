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

  constructor({ url, key, secret, region }: BucketLocation) {
    this.#url = url;
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

  /** Rejects on any answer that is neither good nor expected. */
  async ask(
    method: string,
    path: string,
    init: RequestInit,
    expected: readonly number[] = [],
  ): Promise<Response> {
    const to = path.startsWith('?') ? `${this.#url}${path}` : `${this.#url}/${path}`;
    const response = await this.#client.fetch(to, { ...init, method });
    if (response.ok || expected.includes(response.status)) return response;
    await response.body?.cancel();
    throw new Error(`The storage of files answered ${response.status}`);
  }
}
