// The public site over HTTP: its pages and files, old addresses, redirects to other sites, and the 404 page. Not here: the
// forms (form-routes.ts) and the calls of its scripts (call-routes.ts).
import type { Config } from '../config.ts';
import { redirect, refusal } from '../http/answer.ts';
import { expectedOrigin } from '../http/origin.ts';
import type { Answer, Route, RouteCall } from '../http/route.ts';
import type { FillName, SiteDesk } from './desk.ts';
import type { SiteFiles, SiteTable } from './site-files.ts';

/** What the pages of the site need. */
export interface SitePagePorts {
  readonly config: Config;
  readonly siteFiles: SiteFiles;
  /** Provides the markup that is filled into pages per request. */
  readonly desk: SiteDesk;
}

const PAGE_HEADERS = { 'speculation-rules': '"/speculation-rules.json"' } as const;

/** Pages with slots for dynamic content. */
const FILLED: Readonly<Record<string, readonly FillName[]>> = {
  '/': ['news'],
  '/changelog': ['releases'],
  '/download': ['downloads'],
};

/** Pages with a form of form-routes.ts. */
const POSTED = [
  '/newsletter',
  '/guides/affiliates',
  '/contact',
  '/forgot-password',
  '/reset-password',
  '/confirm',
] as const;

/** A page, with what stands in it: the policy allows that. */
export const pageAnswer = (response: Response, { inline }: SiteTable): Response | Answer =>
  inline === undefined ? response : { response, cookie: 'keep', inline };

/** Pages that are shown only where they are meant. */
const WITHOUT_ADDRESS: ReadonlySet<string> = new Set(['/404', '/partner']);

const nothingHere = () => refusal('not_found', "There's nothing at this address.");

/** Targets of addresses that the operator may configure; null: none, and the page of that address says so. */
function leadingOut(config: Config): Readonly<Record<string, string | null>> {
  return {
    '/download': config.downloadUrl,
    '/go/app-store': config.appStoreUrl,
    '/go/social': config.socialUrl,
    '/go/community': config.communityUrl,
  };
}

/**
 * An installer for the Mac is useless on a phone. iPads claim to be Macs: their links tell (src/site/scripts/system.ts).
 */
const isPhone = ({ request, url }: RouteCall) =>
  url.searchParams.get('for') === 'ios' || /iPhone|iPad|iPod/.test(request.headers.get('user-agent') ?? '');

class SitePages {
  readonly #ports: SitePagePorts;
  readonly #leadingOut: Readonly<Record<string, string | null>>;

  constructor(ports: SitePagePorts) {
    this.#ports = ports;
    this.#leadingOut = leadingOut(ports.config);
  }

  async answer(call: RouteCall): Promise<Response | Answer> {
    const { config, siteFiles } = this.#ports;
    const { pathname, host, search } = call.url;
    if (config.appHost !== null && host === config.appHost)
      return pathname === '/' ? redirect(302, '/app/') : nothingHere();
    const table = await siteFiles.table();
    if (!table) return pathname === '/' ? redirect(302, '/app/') : nothingHere();
    if (pathname.length > 1 && pathname.endsWith('/') && !pathname.startsWith('//'))
      return redirect(308, pathname.replace(/\/+$/, '') + search);
    const out = this.#leadsTo(call);
    if (out !== null) return redirect(302, out);
    const old = Object.hasOwn(table.redirects, pathname) ? table.redirects[pathname] : undefined;
    if (old !== undefined) return redirect(308, old + search);
    const page = await this.#page(call, table);
    if (page) return pageAnswer(page, table);
    const file = await this.#file(call);
    if (file) return file;
    if (/^\/guides\/[^/.]+$/.test(pathname)) return redirect(302, `/guides${search}`);
    return this.#missing(call, table);
  }

  /** Null: no redirect; if the address has a page, that explains. */
  #leadsTo(call: RouteCall): string | null {
    const { downloadUrl, appStoreUrl } = this.#ports.config;
    const { pathname } = call.url;
    if (pathname === '/download' && isPhone(call))
      return appStoreUrl ?? (downloadUrl === null ? null : '/ios');
    return this.#leadingOut[pathname] ?? null;
  }

  /** A page for people, a refusal for programs. */
  async #missing(call: RouteCall, table: SiteTable): Promise<Response | Answer> {
    const wantsPage = (call.request.headers.get('accept') ?? '').includes('text/html');
    if (!wantsPage) return nothingHere();
    const origin = expectedOrigin(this.#ports.config.publicUrl, call.url);
    const page = await this.#ports.siteFiles.answer('pages/404.html', {
      request: call.request,
      origin,
      status: 404,
    });
    return page ? pageAnswer(page, table) : nothingHere();
  }

  async #page(call: RouteCall, { pages }: SiteTable): Promise<Response | null> {
    const { config, siteFiles } = this.#ports;
    const { pathname } = call.url;
    // An invitation is one page, whatever its code.
    const path = /^\/a\/[^/]+$/.test(pathname) ? '/a' : pathname;
    const page = Object.hasOwn(pages, path) && !WITHOUT_ADDRESS.has(path) ? pages[path] : undefined;
    if (!page) return null;
    const outcome = call.url.searchParams.get('outcome') ?? '';
    const file = Object.hasOwn(page.outcomes, outcome) ? page.outcomes[outcome] : page.file;
    const origin = expectedOrigin(config.publicUrl, call.url);
    const headers = { ...PAGE_HEADERS, ...(page.isSecret ? { 'referrer-policy': 'no-referrer' } : {}) };
    const fills = Object.hasOwn(FILLED, path) ? await this.#fills(FILLED[path] ?? []) : {};
    return siteFiles.answer(file ?? page.file, { request: call.request, origin, headers, fills });
  }

  async #fills(names: readonly FillName[]): Promise<Readonly<Record<string, string>>> {
    const { desk } = this.#ports;
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await desk.fills[name]()] as const)),
    );
  }

  async #file(call: RouteCall): Promise<Response | null> {
    let path: string;
    try {
      path = decodeURIComponent(call.url.pathname.slice(1));
    } catch {
      // A broken escape names no file.
      return null;
    }
    const origin = expectedOrigin(this.#ports.config.publicUrl, call.url);
    return this.#ports.siteFiles.answer(`files/${path}`, { request: call.request, origin });
  }
}

/** Routes of the site's pages and files; the last one catches every other path. */
export function sitePageRoutes(ports: SitePagePorts): readonly Route[] {
  const pages = new SitePages(ports);
  const asked = {
    method: 'GET',
    access: { carrier: 'none', rule: { type: 'anybody' } },
    site: 'public',
    limit: null,
    body: { type: 'none' },
    compress: false,
    handle: (call: RouteCall) => pages.answer(call),
  } as const;
  const open = { ...asked, isKept: true } as const;
  return [
    { ...open, path: '/' },
    // Paths with a form need a GET route too, or they would only answer POST.
    ...POSTED.map((path) => ({ ...open, path })),
    // Depends on the client: not cached.
    { ...asked, path: '/download' },
    { ...open, path: '/*' },
  ];
}
