// The calls of the site's scripts, as JSON: promo codes, sign-ups, a new password, releases, invitations, counts of visits.
// They are part of the public API: at the root of its host and under /api of any host.
import * as z from 'zod';
import { endpoints, type Endpoint, type SiteCallName } from '#wire/api/endpoints.ts';
import { parseEmail } from '#core/email.ts';
import type { Config } from '../config.ts';
import { refusal, success } from '../http/answer.ts';
import { expectedOrigin } from '../http/origin.ts';
import { inPart, type Route, type RouteCall } from '../http/route.ts';
import type { Limiter, RateName } from '../limits/rates.ts';
import { noRoomForLetters, type SiteDesk } from './desk.ts';
import { releaseJson, releasesFeed } from './releases.ts';
import { desktopPlatforms } from '#wire/releases/release.ts';
import { disposition } from '../files/routes.ts';
import { isHeld } from '../http/etag.ts';
import { rangeAnswer } from '../http/range.ts';
import type { SignUpList } from './sign-ups.ts';

/** What the calls of the site need. */
export interface SiteCallPorts {
  readonly config: Config;
  readonly limiter: Limiter;
  readonly desk: SiteDesk;
  /** Of this server. */
  readonly version: string;
}

const SMALL = { type: 'json', maxBytes: 4_096 } as const;
const LETTER = { type: 'json', maxBytes: 64 * 1_024 } as const;

export const messageSchema = z.object({
  email: z.string().max(320),
  subject: z.string().trim().min(1).max(200),
  message: z.string().trim().min(1).max(10_000),
});

/** The browser requests not to be tracked. */
const isUnwilling = ({ request }: RouteCall) => request.headers.get('sec-gpc') === '1';

class SiteCalls {
  readonly #ports: SiteCallPorts;

  constructor(ports: SiteCallPorts) {
    this.#ports = ports;
  }

  async promoCode(call: RouteCall): Promise<Response> {
    const found = await this.#ports.desk.promoCodes.find(call.params['code'] ?? '');
    if (!found) return refusal('not_found', "That promo code doesn't exist.");
    return success({
      name: found.partner,
      discount_percentage: found.discount_percentage,
      discount_num_months: found.discount_num_months,
    });
  }

  signUp(list: SignUpList): Route['handle'] {
    return async (call) => {
      const read = endpoints.signUpForNewsletter.body.safeParse(call.body);
      const email = read.success ? parseEmail(read.data.email) : null;
      if (email === null) return refusal('invalid', 'Enter an email', { field: 'email' });
      const { desk } = this.#ports;
      desk.background.run('sign_up_failed', await desk.signUps.add(list, email));
      return success({});
    };
  }

  async resetPassword(call: RouteCall): Promise<Response> {
    const read = endpoints.resetPassword.body.safeParse(call.body);
    if (!read.success)
      return refusal('invalid', 'The token or the new password is missing.', { field: 'token' });
    const outcome = await this.#ports.desk.resets.use(read.data.token, read.data.new_password);
    switch (outcome.type) {
      case 'reset':
        return success({});
      case 'refused':
        return refusal('invalid', outcome.message, { field: 'new_password' });
      case 'busy':
        return refusal('busy', 'The server is busy. Try again in a moment.', { retryAfterMs: 1_000 });
      case 'unknown':
        return refusal('invalid', 'This link has expired. Ask for a new one.', { field: 'token' });
    }
  }

  askForReset(call: RouteCall): Response {
    const read = endpoints.requestPasswordReset.body.safeParse(call.body);
    if (!read.success || parseEmail(read.data.email) === null)
      return refusal('invalid', 'Enter an email', { field: 'email' });
    const { desk } = this.#ports;
    if (!desk.hasRoom()) return noRoomForLetters();
    desk.background.run('reset_failed', () => desk.resets.ask(read.data.email));
    return success({});
  }

  async releases(): Promise<Response> {
    const releases = await this.#ports.desk.releases.available();
    return success({ app_releases: releases.map(releaseJson) });
  }

  async latest(): Promise<Response> {
    const [latest] = await this.#ports.desk.releases.available();
    return success({ name: `v${latest?.version ?? this.#ports.version}` });
  }

  async latestDesktop(call: RouteCall): Promise<Response> {
    const { platform = '' } = call.params;
    const known = desktopPlatforms.find((each) => each === platform);
    if (known === undefined)
      return refusal('not_found', `Ask for one of these platforms: ${desktopPlatforms.join(', ')}.`);
    const found = await this.#ports.desk.desktop.newest(known);
    return success({ release: found?.signed ?? null, staged_percent: found?.stagedPercent ?? 0 });
  }

  /** A file of a release that is available. Its name and content never change. */
  async releaseFile(call: RouteCall): Promise<Response> {
    const { version = '', name = '' } = call.params;
    const { desktop } = this.#ports.desk;
    const file = await desktop.file(version, name);
    if (file === null) return refusal('not_found', "There's no such download.");
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': disposition(file.name),
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${file.sha256}"`,
    };
    if (isHeld(call.request.headers.get('if-none-match'), headers.etag))
      return new Response(null, { status: 304, headers });
    return rangeAnswer(call.request.headers.get('range'), file.bytes, headers, (range) =>
      desktop.read(file, range),
    );
  }

  async feed(call: RouteCall): Promise<Response> {
    const origin = expectedOrigin(this.#ports.config.publicUrl, call.url);
    const text = releasesFeed(await this.#ports.desk.releases.available(), origin);
    return new Response(text, {
      headers: {
        'content-type': 'application/atom+xml; charset=utf-8',
        'cache-control': 'public, max-age=300',
      },
    });
  }

  async invitation(call: RouteCall): Promise<Response> {
    const found = await this.#ports.desk.invitations.find(call.params['token'] ?? '');
    if (!found) return refusal('not_found', "That invitation doesn't exist.");
    return success({
      list_name: found.listName,
      inviting_user_avatar_initials: found.initials,
      inviting_user_avatar_color_hex_string: found.color,
    });
  }

  async pageLoad(call: RouteCall): Promise<Response> {
    const read = endpoints.countPageLoad.body.safeParse(call.body);
    if (!read.success || !(await this.#isCounted(call))) return success({});
    const { visits, background } = this.#ports.desk;
    background.run('visit_not_counted', async () => {
      await visits.count('page', read.data.ref ?? null);
      if (read.data.is_first) await visits.count('first', read.data.ref ?? null);
    });
    return success({});
  }

  async download(call: RouteCall): Promise<Response> {
    const read = endpoints.countDownload.body.safeParse(call.body);
    if (!read.success || !(await this.#isCounted(call))) return success({});
    const { visits, background } = this.#ports.desk;
    background.run('download_not_counted', () => visits.count('download', read.data.ref ?? null));
    return success({});
  }

  async contact(call: RouteCall): Promise<Response> {
    const read = messageSchema.safeParse(call.body);
    const email = read.success ? parseEmail(read.data.email) : null;
    if (!read.success || email === null)
      return refusal('invalid', 'Enter an email, a subject, and a message.', { field: 'email' });
    await this.#ports.desk.takeMessage({ ...read.data, email });
    return success({});
  }

  /** Visits over the limit, and those of visitors who opt out, are dropped silently. */
  async #isCounted(call: RouteCall): Promise<boolean> {
    if (isUnwilling(call)) return false;
    return (await this.#ports.limiter.take('site_visit_ip', call.client.key)).allowed;
  }
}

/** The rate limit of a call by address; absent: none, or counted by the handler. */
const LIMITS: Readonly<Partial<Record<SiteCallName, RateName>>> = {
  getPromoCode: 'site_lookup_ip',
  getListInvitation: 'site_lookup_ip',
  signUpAffiliate: 'site_sign_up_ip',
  signUpForNewsletter: 'site_sign_up_ip',
  resetPassword: 'reset_use_ip',
  requestPasswordReset: 'reset_ask_ip',
};

function routesUnder(calls: SiteCalls, prefix: '' | '/api'): readonly Route[] {
  const handlers: Readonly<Record<SiteCallName, Route['handle']>> = {
    getPromoCode: (call) => calls.promoCode(call),
    signUpAffiliate: calls.signUp('affiliate'),
    signUpForNewsletter: calls.signUp('newsletter'),
    resetPassword: (call) => calls.resetPassword(call),
    requestPasswordReset: (call) => calls.askForReset(call),
    listReleases: () => calls.releases(),
    latestVersion: () => calls.latest(),
    latestDesktopRelease: (call) => calls.latestDesktop(call),
    getListInvitation: (call) => calls.invitation(call),
    countPageLoad: (call) => calls.pageLoad(call),
    countDownload: (call) => calls.download(call),
  };
  return (Object.keys(handlers) as SiteCallName[]).map((name) => {
    const { method, path, body }: Endpoint = endpoints[name];
    return {
      method,
      path: `${prefix}${path}`,
      access: { carrier: 'none', rule: { type: 'anybody' } },
      // Under /api the pages of the site call their own host.
      site: prefix === '' ? 'api' : 'any',
      limit: LIMITS[name] ?? null,
      body: body === undefined ? { type: 'none' } : SMALL,
      compress: name === 'listReleases',
      ...(name === 'resetPassword' ? { steps: inPart } : {}),
      handle: handlers[name],
    };
  });
}

/** Routes of the site's calls, of the contact form's script, and of the changelog feed. */
export function siteCallRoutes(ports: SiteCallPorts): readonly Route[] {
  const calls = new SiteCalls(ports);
  const own = {
    access: { carrier: 'none', rule: { type: 'anybody' } },
    site: 'public',
    compress: false,
  } as const;
  return [
    ...routesUnder(calls, ''),
    ...routesUnder(calls, '/api'),
    {
      ...own,
      method: 'POST',
      path: '/api/contact',
      limit: 'site_message_ip',
      body: LETTER,
      handle: (call) => calls.contact(call),
    },
    {
      ...own,
      method: 'GET',
      path: '/downloads/:version/:name',
      // The desktop client asks the server that its person works with, at its own address.
      site: 'any',
      limit: null,
      body: { type: 'none' },
      handle: (call) => calls.releaseFile(call),
    },
    {
      ...own,
      method: 'GET',
      path: '/changelog.atom',
      limit: null,
      body: { type: 'none' },
      compress: true,
      handle: (call) => calls.feed(call),
    },
  ];
}
