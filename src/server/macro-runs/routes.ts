// The web app’s calls about runs of macros: a device takes one, and tells what came of it.
import { parseId } from '#core/ids.ts';
import { runOutcomeSchema } from '#wire/macro-runs.ts';
import { authorise } from '../access/authorise.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { MacroRuns } from './runs.ts';

/** What these calls need. */
export interface MacroRunRoutePorts {
  readonly macroRuns: MacroRuns;
}

const OUTCOME_BYTES = 1024 * 1024;

const common = {
  method: 'POST',
  access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
  site: 'app',
  limit: null,
  compress: false,
} as const;

/** Routes for devices that run macros. */
export function macroRunRoutes({ macroRuns }: MacroRunRoutePorts): readonly Route[] {
  async function take(call: RouteCall): Promise<Response> {
    return success({ run: await macroRuns.take(call.account()) });
  }

  async function end(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const id = parseId(call.params['id'] ?? '');
    const owner = id === null ? undefined : await macroRuns.takenBy(actor, id);
    if (id === null || !authorise(actor, { type: 'macro.run', owner }).allowed)
      return refusal('not_found', "This device hasn't taken that run.");
    const read = runOutcomeSchema.safeParse(call.body);
    if (!read.success) {
      const field = read.error.issues[0]?.path.join('.') || 'body';
      return refusal('invalid', `"${field}" can't be used.`, { field });
    }
    await macroRuns.end(actor.account, id, read.data);
    return success({});
  }

  return [
    { ...common, path: '/app/api/macro-runs/take', body: { type: 'none' }, handle: take },
    {
      ...common,
      path: '/app/api/macro-runs/:id/outcome',
      body: { type: 'json', maxBytes: OUTCOME_BYTES, gzip: true },
      handle: end,
    },
  ];
}
