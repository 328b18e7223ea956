// The handler of the call that lists macros.
import { macroIdOf, programsRunMacros, readMacroFace } from '#core/macros.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { ApiMacro } from '#wire/api/objects.ts';
import { answer, type HandlerContext } from './handler-context.ts';
import { unreadParameters } from './parsing.ts';
import type { ApiAnswer, ApiCall, ApiScope } from './ports.ts';
import { problem, type Problem } from './problem.ts';

/** Whether the server can't read what is in a scope. */
export const isSealed = (head: ApiScope | null): boolean => (head?.sealing?.phase ?? 'plain') !== 'plain';

/** What a run is asked for and what comes of it would go over the server in the open. */
export const noSealedRuns: Problem = problem(
  'encrypted',
  'This account is encrypted, so programs can’t run its macros. Run them in the app.',
);

const noSealedMacros = problem(
  'encrypted',
  'This account is encrypted, so this server can’t read its macros. Open them in the app.',
);

/** Macros of the account. */
export class MacroLists {
  readonly #context: Pick<HandlerContext, 'reads' | 'store'>;

  constructor(context: Pick<HandlerContext, 'reads' | 'store'>) {
    this.#context = context;
  }

  async list(call: ApiCall): Promise<ApiAnswer> {
    const { personalScope } = call.account();
    if (isSealed(await this.#context.store.scope(personalScope))) return answer(noSealedMacros);
    const rows = await this.#context.reads.settings(personalScope);
    const isOn = rows.some(
      (row) => fieldOf(row, 'key') === programsRunMacros && fieldOf(row, 'value') === true,
    );
    const macros = rows.flatMap((row): readonly ApiMacro[] => {
      const id = macroIdOf(fieldOf(row, 'key'));
      const face = readMacroFace(fieldOf(row, 'value'));
      if (id === null || face === null) return [];
      const asked = face.variables.filter(({ isAsked }) => isAsked);
      const variables = asked.map(({ name, value }) => ({ name, offered_value: value }));
      return [{ id, name: face.name, variables, can_run: isOn && face.isOpen }];
    });
    const sorted = macros.toSorted((a, b) => a.name.localeCompare(b.name));
    return answer({ macros: sorted }, unreadParameters(call.url));
  }
}
