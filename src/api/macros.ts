// The handler of the call that lists macros.
import { macroIdOf, programsRunMacros, readMacroFace } from '#core/macros.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { ApiMacro } from '#wire/api/objects.ts';
import { answer, type HandlerContext } from './handler-context.ts';
import { unreadParameters } from './parsing.ts';
import type { ApiAnswer, ApiCall } from './ports.ts';

/** Macros of the account. */
export class MacroLists {
  readonly #context: Pick<HandlerContext, 'reads'>;

  constructor(context: Pick<HandlerContext, 'reads'>) {
    this.#context = context;
  }

  async list(call: ApiCall): Promise<ApiAnswer> {
    const { personalScope } = call.account();
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
