// The handlers of the calls about public links. What may be done is decided where the app's calls are decided (public-links/).
import { parseId, type Id } from '#core/ids.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { ApiPublicLink } from '#wire/api/objects.ts';
import { linkPermissions, type LinkMay, type LinkPermission, type PublicLink } from '#wire/public-links.ts';
import { expectedOrigin } from '../http/origin.ts';
import type { RouteCall } from '../http/route.ts';
import type { ServerContext } from './server-context.ts';
import type { ApiAnswer } from '#api/ports.ts';
import type { LinksState } from '../public-links/public-links.ts';
import type { SharingProblem } from '../sharing/sharing-problems.ts';
import { answer, idOf, nothing, strictly } from '#api/handler-context.ts';
import { parseBody, unreadParameters } from '#api/parsing.ts';
import { isProblem, problem, type Problem } from '#api/problem.ts';

const noList = nothing('list');
const noLink = nothing('public link');

type ApiPermission = ApiPublicLink['permissions'][number];

const NAMES: Readonly<Record<LinkPermission, ApiPermission>> = {
  add: 'add_tasks',
  complete: 'complete_tasks',
  titles: 'edit_titles',
  notes: 'edit_notes',
  labels: 'view_labels',
};

const momentOf = (ms: number) => new Date(ms).toISOString();

const mayOf = (permissions: readonly ApiPermission[]): LinkMay => ({
  add: permissions.includes(NAMES.add),
  complete: permissions.includes(NAMES.complete),
  titles: permissions.includes(NAMES.titles),
  notes: permissions.includes(NAMES.notes),
  labels: permissions.includes(NAMES.labels),
});

/** Of the codes of the app's calls the API has all but one. */
const problemOf = ({ code, message }: SharingProblem): Problem =>
  problem(code === 'email_unconfirmed' ? 'forbidden' : code, message);

/** Calls about the public links of a list. */
export class PublicLinkHandlers {
  readonly #context: ServerContext;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  async list(call: RouteCall): Promise<ApiAnswer> {
    const list = idOf(call);
    const seen = list === null ? null : await this.#managed.see(call.account(), list);
    if (seen === null) return answer(noList);
    if (!seen.ok) return answer(problemOf(seen.problem));
    const links = seen.value.links.map((link) => this.#json(call, seen.value, link));
    return answer({ public_links: links }, unreadParameters(call.url));
  }

  async create(call: RouteCall): Promise<ApiAnswer> {
    const parsed = parseBody(endpoints.createPublicLink.body, call.body ?? {});
    if (isProblem(parsed)) return answer(parsed);
    const { name = null, permissions } = parsed.value;
    const warnings = [...parsed.warnings, ...unreadParameters(call.url)];
    if (parsed.value.strict === true && warnings.length > 0) return answer(strictly(warnings));
    const list = idOf(call);
    if (list === null) return answer(noList);
    const made = await this.#managed.make(call.account(), list, { name, may: mayOf(permissions ?? []) });
    if (!made.ok) return answer(problemOf(made.problem));
    return this.#show(call, made.value, made.value.made, warnings);
  }

  async update(call: RouteCall): Promise<ApiAnswer> {
    const parsed = parseBody(endpoints.updatePublicLink.body, call.body);
    if (isProblem(parsed)) return answer(parsed);
    const { name, permissions, is_paused: isPaused } = parsed.value;
    const warnings = [...parsed.warnings, ...unreadParameters(call.url)];
    if (parsed.value.strict === true && warnings.length > 0) return answer(strictly(warnings));
    const [list, link] = [idOf(call), linkOf(call)];
    if (list === null || link === null) return answer(noLink);
    const changed = await this.#managed.change({ actor: call.account(), list }, link, {
      ...(name === undefined ? {} : { name }),
      ...(permissions ? { may: mayOf(permissions) } : {}),
      ...(typeof isPaused === 'boolean' ? { isPaused } : {}),
    });
    if (!changed.ok) return answer(problemOf(changed.problem));
    return this.#show(call, changed.value, link, warnings);
  }

  async remove(call: RouteCall): Promise<ApiAnswer> {
    const [list, link] = [idOf(call), linkOf(call)];
    if (list === null || link === null) return answer(noLink);
    const removed = await this.#managed.remove({ actor: call.account(), list }, link);
    return answer(removed.ok ? {} : problemOf(removed.problem), unreadParameters(call.url));
  }

  get #managed() {
    return this.#context.publicLinks.managed;
  }

  #show(call: RouteCall, state: LinksState, id: Id | undefined, warnings: readonly string[]): ApiAnswer {
    const link = state.links.find((each) => each.id === id);
    return answer(link ? { public_link: this.#json(call, state, link) } : noLink, warnings);
  }

  /** Who has the address may do what the link permits, so tokens that only read are not shown it. That of an encrypted list is known to devices alone. */
  #json(call: RouteCall, { list }: LinksState, link: PublicLink): ApiPublicLink {
    const { access } = call.account();
    const origin = expectedOrigin(this.#context.config.publicUrl, call.url);
    return {
      id: link.id,
      list_id: list,
      url:
        access === 'read' || link.token === null || link.keys !== undefined
          ? null
          : `${origin}/p/${link.token}`,
      name: link.name,
      permissions: linkPermissions.filter((each) => link.may[each]).map((each) => NAMES[each]),
      is_paused: link.pausedAt !== null || link.isOrphan,
      user_id: link.account,
      visit_count: link.visits,
      change_count: link.changes,
      last_visited_at: link.visitedAt === null ? null : momentOf(link.visitedAt),
      created_at: momentOf(link.createdAt),
    };
  }
}

const linkOf = (call: RouteCall) => parseId(call.params['link'] ?? '');
