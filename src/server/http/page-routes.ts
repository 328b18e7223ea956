// The web app's page and files, and the endpoints for monitoring.
import type { Metrics } from '../observe/metrics.ts';
import type { Readiness } from '../observe/readiness.ts';
import { redirect, refusal } from './answer.ts';
import { workerHeaders, type AppFiles } from './files.ts';
import type { Answer, Route, RouteCall } from './route.ts';

/** What the app's pages and the monitoring endpoints need. */
export interface PageRoutePorts {
  readonly files: AppFiles;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

const text = (body: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

/** The decoded rest of a path; null: it does not decode. */
function restOf(url: URL, prefix: string): string | null {
  try {
    return decodeURIComponent(url.pathname.slice(prefix.length));
  } catch {
    return null;
  }
}

/** Routes of the app's page and files, `/healthz`, `/readyz` and `/metrics`. */
export function pageRoutes({ files, metrics, readiness }: PageRoutePorts): readonly Route[] {
  async function app(call: RouteCall): Promise<Response | Answer> {
    const path = restOf(call.url, '/app/');
    if (path === null) return refusal('not_found', "There's nothing at this address.");
    const file = path === '' ? null : await files.file(path, call.request);
    const headers = workerHeaders(path);
    if (file && headers !== null) return { response: file, cookie: 'keep', headers };
    if (file) return file;
    // Paths inside the app get its page; a missing path that looks like a file is 404.
    const isFile = /\.[a-z0-9]{1,12}$/i.test(path);
    return isFile ? refusal('not_found', "That file doesn't exist.") : files.page(call.request);
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
      async handle() {
        const state = await readiness.state();
        // A load balancer must not take away a server that can still be read.
        if (state === 'not ready') return text('not ready\n', 503);
        return text(`${[state, ...readiness.remarks()].join('\n')}\n`);
      },
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
