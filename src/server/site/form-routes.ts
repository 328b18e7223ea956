// The site's forms as browsers post them without scripts. Each redirects back to its page, which shows the outcome.
import { parseEmail } from '#core/email.ts';
import { lengthProblem } from '#core/password.ts';
import type { Config } from '../config.ts';
import { expectedOrigin, originProblem } from '../http/origin.ts';
import { refusal } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { RateName } from '../limits/rates.ts';
import { messageSchema } from './call-routes.ts';
import { noRoomForLetters, type SiteDesk } from './desk.ts';
import type { SignUpList } from './sign-ups.ts';

/** What the forms of the site need. */
export interface SiteFormPorts {
  readonly config: Config;
  readonly desk: SiteDesk;
}

const FORM_BYTES = 64 * 1_024;

function fieldOf({ body }: RouteCall, name: string): string {
  const value =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? (body as Readonly<Record<string, unknown>>)[name]
      : '';
  return typeof value === 'string' ? value : '';
}

/** A redirect to the page: reloading it posts nothing again. */
function back(path: string, outcome: string, token?: string): Response {
  const query = new URLSearchParams(token === undefined || token === '' ? {} : { token });
  query.set('outcome', outcome);
  return new Response(null, { status: 303, headers: { location: `${path}?${query.toString()}` } });
}

/** Any failure (too often, too long, wrong origin): the page shows that it did not work, as it does with scripts. */
function failedPage(request: Request, path: string): Response | null {
  if (!(request.headers.get('accept') ?? '').includes('text/html')) return null;
  return back(path, 'failed', new URL(request.url).searchParams.get('token') ?? undefined);
}

class SiteForms {
  readonly #ports: SiteFormPorts;

  constructor(ports: SiteFormPorts) {
    this.#ports = ports;
  }

  /** Accepts posts from our own pages only; forms with a secret need no such check. */
  fromOurPages(handle: Route['handle']): Route['handle'] {
    return (call) => {
      const problem = originProblem(call.request, expectedOrigin(this.#ports.config.publicUrl, call.url));
      return problem === null ? handle(call) : refusal('wrong_origin', problem);
    };
  }

  signUp(list: SignUpList, path: string): Route['handle'] {
    return async (call) => {
      const email = fieldOf(call, 'email').trim();
      if (email === '') return back(path, 'email-missing');
      const address = parseEmail(email);
      if (address === null) return back(path, 'email-invalid');
      const { desk } = this.#ports;
      desk.background.run('sign_up_failed', await desk.signUps.add(list, address));
      return back(path, 'sent');
    };
  }

  async contact(call: RouteCall): Promise<Response> {
    const read = messageSchema.safeParse({
      email: fieldOf(call, 'email'),
      subject: fieldOf(call, 'subject'),
      message: fieldOf(call, 'message'),
    });
    const email = read.success ? parseEmail(read.data.email) : null;
    if (!read.success) return back('/contact', 'email-missing');
    if (email === null)
      return back('/contact', read.data.email.trim() === '' ? 'email-missing' : 'email-invalid');
    await this.#ports.desk.takeMessage({ ...read.data, email });
    return back('/contact', 'sent');
  }

  async resetPassword(call: RouteCall): Promise<Response> {
    const token = call.url.searchParams.get('token') ?? '';
    const password = fieldOf(call, 'new_password');
    const again = fieldOf(call, 'again');
    const to = (outcome: string) => back('/reset-password', outcome, token);
    if (password.trim() === '' || again.trim() === '') return to('missing');
    if (password !== again) return to('mismatch');
    if (lengthProblem(password) !== null) return to('length');
    const outcome = await this.#ports.desk.resets.use(token, password);
    if (outcome.type === 'reset') return back('/reset-password', 'sent');
    return to(outcome.type === 'refused' ? 'refused' : 'failed');
  }

  askForReset(call: RouteCall): Response {
    const { desk } = this.#ports;
    const email = fieldOf(call, 'email').trim();
    if (email === '') return back('/forgot-password', 'email-missing');
    if (parseEmail(email) === null) return back('/forgot-password', 'email-invalid');
    if (!desk.hasRoom()) return noRoomForLetters();
    desk.background.run('reset_failed', () => desk.resets.ask(email));
    return back('/forgot-password', 'sent');
  }

  async confirm(call: RouteCall): Promise<Response> {
    const { signUps } = this.#ports.desk;
    const token = call.url.searchParams.get('token') ?? '';
    if (fieldOf(call, 'choice') === 'remove')
      return back('/confirm', (await signUps.remove(token)) ? 'removed' : 'unknown');
    return back('/confirm', (await signUps.confirm(token)) ? 'confirmed' : 'unknown');
  }
}

/** Routes of the forms: sign-ups, messages, password resets and confirmations. */
export function siteFormRoutes(ports: SiteFormPorts): readonly Route[] {
  const forms = new SiteForms(ports);
  const route = (path: string, limit: RateName, handle: Route['handle']): Route => ({
    method: 'POST',
    path,
    access: { carrier: 'none', rule: { type: 'anybody' } },
    site: 'public',
    limit,
    body: { type: 'form', maxBytes: FORM_BYTES },
    compress: false,
    handle,
    shown: (request) => failedPage(request, path),
  });
  const ours = (handle: Route['handle']) => forms.fromOurPages(handle);
  const affiliates = '/guides/affiliates';
  return [
    route('/newsletter', 'site_sign_up_ip', ours(forms.signUp('newsletter', '/newsletter'))),
    route(affiliates, 'site_sign_up_ip', ours(forms.signUp('affiliate', affiliates))),
    route(
      '/contact',
      'site_message_ip',
      ours((call) => forms.contact(call)),
    ),
    route(
      '/forgot-password',
      'reset_ask_ip',
      ours((call) => forms.askForReset(call)),
    ),
    route('/reset-password', 'reset_use_ip', (call) => forms.resetPassword(call)),
    route('/confirm', 'site_lookup_ip', (call) => forms.confirm(call)),
  ];
}
