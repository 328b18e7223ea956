// Answers what the page asks for: files of the built app, and everything else from the server, with the session that only this program knows.
import { customFile, customPath, fileOf, headersOf, originOf, withBridge } from './app-files.ts';
import type { Cookies } from './cookies.ts';
import type { Headers, Shell } from './shell.ts';

/** What the page asks for. `path` has the query in it. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
}

/** What it gets; null: no answer, as where there is no network. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** What goes on to the server. The page says nothing of where it comes from, and has no cookies. */
const SENT: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'if-match',
  'if-none-match',
  'range',
]);
/** What stays here: cookies, and what was true of the answer on its way. */
const KEPT =
  /^(?:set-cookie|content-encoding|content-length|transfer-encoding|connection|strict-transport-security)$/;

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (from: string) => new TextEncoder().encode(from);

export interface ServingPorts {
  readonly shell: Pick<Shell, 'readBuilt' | 'readOwn' | 'ask'>;
  readonly cookies: Cookies;
  /** Origin of the server; null: none is chosen yet. */
  readonly server: string | null;
}

async function ofBuild({ shell, server }: ServingPorts, file: string): Promise<PageAnswer> {
  const content = await shell.readBuilt(file);
  if (content === null) return { status: 404, headers: {}, body: new Uint8Array() };
  const isPage = file.endsWith('.html');
  return {
    status: 200,
    headers: headersOf(file),
    body: isPage ? bytes(withBridge(text(content), server)) : content,
  };
}

/** The person's own code. The page asks for it only where that is turned on. */
async function ofPerson({ shell }: ServingPorts): Promise<PageAnswer> {
  const code = await shell.readOwn(customFile);
  if (code === null) return { status: 404, headers: {}, body: new Uint8Array() };
  return {
    status: 200,
    headers: { ...headersOf(customFile), 'cache-control': 'no-store' },
    body: bytes(code),
  };
}

/** The answer of the server, as if the page had asked it itself. */
async function ofServer(
  { shell, cookies, server }: ServingPorts,
  request: PageRequest,
): Promise<PageAnswer | null> {
  if (server === null) return null;
  const sent = Object.entries(request.headers).filter(([name]) => SENT.has(name));
  await cookies.load();
  const cookie = cookies.header;
  const answer = await shell.ask({
    method: request.method,
    address: `${server}${request.path}`,
    headers: { ...Object.fromEntries(sent), origin: server, ...(cookie !== '' && { cookie }) },
    body: request.body,
  });
  if (answer === null) return null;
  if (answer.cookies.length > 0) await cookies.take(answer.cookies);
  const headers = Object.entries(answer.headers).filter(([name]) => !KEPT.test(name));
  return { status: answer.status, headers: Object.fromEntries(headers), body: answer.body };
}

/** Answers a request of the page. Null: the network gave no answer. */
export async function answerPage(ports: ServingPorts, request: PageRequest): Promise<PageAnswer | null> {
  const [path = ''] = request.path.split('?', 1);
  if (path === customPath && request.method === 'GET') return await ofPerson(ports);
  const file = request.method === 'GET' ? fileOf(path) : null;
  if (file !== null) return await ofBuild(ports, file);
  if (path.startsWith('/app/api/') || !path.startsWith('/app/')) return await ofServer(ports, request);
  return { status: 404, headers: {}, body: new Uint8Array() };
}

/** Where a link of the app leads that it opens in another program: what is our own page is the server's. Null: nowhere. */
export function outside(
  address: string,
  { host, server }: { readonly host: string; readonly server: string | null },
): string | null {
  const origin = originOf(host);
  if (address.startsWith(`${origin}/`)) return server === null ? null : server + address.slice(origin.length);
  return /^(?:https?|mailto|tel):/i.test(address) ? address : null;
}
