// The web app's page and files, and the addresses that machines watch.
import type { Metrics } from '../observe/metrics.ts';
import type { Readiness } from '../observe/readiness.ts';
import { redirect, refusal } from './answer.ts';
import type { AppFiles } from './files.ts';
import type { Route, RouteCall } from './route.ts';

export interface PageRoutePorts {
  readonly files: AppFiles;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

const text = (body: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

/** The decoded rest of a path; null when it does not decode. */
function restOf(url: URL, prefix: string): string | null {
  try {
    return decodeURIComponent(url.pathname.slice(prefix.length));
  } catch {
    return null;
  }
}

export function pageRoutes({ files, metrics, readiness }: PageRoutePorts): readonly Route[] {
  async function app(call: RouteCall): Promise<Response> {
    const path = restOf(call.url, '/app/');
    if (path === null) return refusal('not_found', 'There is nothing here.');
    const file = path === '' ? null : await files.file(path, call.request);
    if (file) return file;
    // Addresses inside the app are the page's own; what looks like a file and is not there is missing.
    const isFile = /\.[a-z0-9]{1,12}$/i.test(path);
    return isFile ? refusal('not_found', 'There is no such file.') : files.page(call.request);
  }

  async function icon(call: RouteCall): Promise<Response> {
    const file = await files.file('favicon.ico', call.request);
    return file ?? new Response(null, { status: 204, headers: { 'cache-control': 'no-cache' } });
  }

  const open = {
    method: 'GET',
    access: { carrier: 'none', rule: { type: 'anybody' } },
    limit: null,
    body: { type: 'none' },
    compress: false,
  } as const;

  return [
    { ...open, path: '/favicon.ico', site: 'app', handle: icon },
    { ...open, path: '/healthz', site: 'any', handle: () => text('ok\n') },
    {
      ...open,
      path: '/readyz',
      site: 'any',
      handle: async () =>
        (await readiness.isReady())
          ? text(`${['ready', ...readiness.remarks()].join('\n')}\n`)
          : text('not ready\n', 503),
    },
    {
      ...open,
      path: '/metrics',
      site: 'any',
      access: { carrier: 'none', rule: { type: 'this-machine' } },
      handle: () => text(metrics.text()),
    },
    { ...open, path: '/app', site: 'app', handle: (call) => redirect(308, `/app/${call.url.search}`) },
    { ...open, path: '/app/*', site: 'app', handle: app },
  ];
}
