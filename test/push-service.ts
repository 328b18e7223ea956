// A push service of our own: HTTPS on this machine with a certificate made for it, browsers that subscribe to it, and what
// arrived for each, decrypted with nothing but the browser's own keys (RFC 8291, RFC 8292).
import assert from 'node:assert/strict';
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const ECDSA_SHA256 = sequence(der(0x06, bytes('2a8648ce3d040302')));
const time = (text: string) => der(0x17, Buffer.from(text));

/** A certificate for 127.0.0.1 that signs itself; good for as long as two-digit years last. */
export function makeCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(der(0x06, bytes('550403')), der(0x0c, Buffer.from('push test')))));
  const addresses = sequence(der(0x87, bytes('7f000001')));
  const extension = (oid: string, value: Uint8Array) => sequence(der(0x06, bytes(oid)), der(0x04, value));
  const extensions = der(
    0xa3,
    sequence(extension('551d11', addresses), extension('551d13', sequence(der(0x01, bytes('ff'))))),
  );
  const body = sequence(
    der(0xa0, der(0x02, bytes('02'))),
    der(0x02, bytes('01')),
    ECDSA_SHA256,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, ECDSA_SHA256, der(0x03, bytes('00'), signature));
  const text = whole.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  };
}

export interface Arrived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a browser gives its page. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** Everything that arrived for it, in order. */
  messages(): readonly Record<string, unknown>[];
}

export interface PushService {
  /** PEM, to be trusted. */
  readonly ca: string;
  readonly arrived: Arrived[];
  /** Status of every answer from now on; `retryAfter` in seconds. */
  answerWith(status: number, retryAfter?: number): void;
  subscribe(name: string): BrowserSubscription;
  close(): Promise<void>;
}

/** The text of a message for the holder of these keys. */
function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + keyLength);
  const shared = ecdh.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32));
  const key = hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12);
  const sealed = body.subarray(21 + keyLength);
  const decipher = createDecipheriv('aes-128-gcm', Buffer.from(key), Buffer.from(nonce));
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}

/** Fails unless the message is signed by the key that the page was given, for this service. Answers what was claimed. */
export function readVapid({ headers }: Arrived, publicKey: string): Record<string, unknown> {
  const [, token = '', key = ''] =
    /^vapid t=([^,]+), ?k=(.+)$/.exec(String(headers['authorization'] ?? '')) ?? [];
  assert.equal(key, publicKey);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  assert.ok(isSigned, 'the token is signed by the key it names');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>;
}

export async function startPushService(): Promise<PushService> {
  const { key, cert } = makeCertificate();
  const arrived: Arrived[] = [];
  let status = 201;
  let retryAfter: number | null = null;
  const server = createServer({ key, cert }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      arrived.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
      response.writeHead(status, retryAfter === null ? {} : { 'retry-after': String(retryAfter) });
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    ca: cert,
    arrived,
    answerWith(next, after) {
      status = next;
      retryAfter = after ?? null;
    },
    subscribe(name) {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      return {
        endpoint: `https://127.0.0.1:${port}/${name}`,
        p256dh: ecdh.getPublicKey('base64url'),
        auth: auth.toString('base64url'),
        messages: () =>
          arrived
            .filter(({ path }) => path === `/${name}`)
            .map(({ body }) => JSON.parse(decrypt(body, ecdh, auth)) as Record<string, unknown>),
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
