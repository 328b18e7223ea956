// The handlers of the calls about labels.
import { plainColor } from '#core/model.ts';
import { parseId, type Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { ApiAnswer, ApiCall } from './ports.ts';
import {
  answer,
  creating,
  idOf,
  nothing,
  open,
  remove,
  strictly,
  takenAbove,
  type HandlerContext,
} from './handler-context.ts';
import type { Frame } from './frame.ts';
import { labelJson } from './objects.ts';
import { unreadParameters } from './parsing.ts';
import { Placing } from './placing.ts';
import { isProblem } from './problem.ts';
import type { Step } from './writing.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';

const noLabel = nothing('label');

/** Of several labels of one list with the same name the name refers to the first one only. */
function namesakes(frame: Frame, name: string, { id, scope }: Pick<Row, 'id' | 'scope'>): readonly string[] {
  const other = frame.labelsNamed(name).find(({ row }) => row.scope === scope && row.id !== id);
  return other ? [`Another label has this name: ${other.row.id}.`] : [];
}

export class LabelHandlers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async list(call: ApiCall): Promise<ApiAnswer> {
    const actor = call.account();
    const frame = await this.#context.frames.of(actor);
    return answer(
      { labels: frame.labels.map((label) => labelJson(label, actor.account)) },
      unreadParameters(call.url),
    );
  }

  async create(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.createLabel.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const id = (input.id ? parseId(input.id) : null) ?? this.#context.newId();
    if (frame.label(id)) return this.#show(call, id, warnings);
    const conflict = takenAbove(frame, id);
    if (conflict) return answer(conflict);
    const place = new Placing(this.#context.reads, frame).ofLabel(input.label_group_id);
    if (isProblem(place)) return answer(place);
    const scope = frame.personal;
    const said = [...warnings, ...namesakes(frame, input.name, { id, scope })];
    if (opened.isStrict && said.length > 0) return answer(strictly(said));
    const fields = { name: input.name, color: (input.color_hex_string ?? plainColor).toLowerCase() };
    const action = { a: 'create', id, type: 'label', fields, place } as const;
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide: (view) => creating(view, { scope, action }),
    });
    return refused ? answer(refused) : this.#show(call, id, said);
  }

  async update(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.updateLabel.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const id = idOf(call);
    const label = id === null ? undefined : frame.label(id);
    if (id === null || label === undefined) return answer(noLabel);
    const group = input.label_group_id;
    const place = group === undefined ? null : new Placing(this.#context.reads, frame).ofLabel(group);
    if (place !== null && 'problem' in place) return answer(place);
    const said = [...warnings, ...(input.name ? namesakes(frame, input.name, label.row) : [])];
    if (opened.isStrict && said.length > 0) return answer(strictly(said));
    const { scope } = label.row;
    const fields = {
      ...(input.name ? { name: input.name } : {}),
      ...(input.color_hex_string ? { color: input.color_hex_string.toLowerCase() } : {}),
    };
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide(view) {
        const row = view.row(scope, id);
        if (row === undefined) return noLabel;
        const steps: Step[] = Object.entries(fields)
          .filter(([field, value]) => registersOf(row)[field] !== value)
          .map(([field, value]) => ({ scope, action: { a: 'set', id, field, value } }));
        if (place !== null && placeOf(row)?.parent !== place.parent)
          steps.push({ scope, action: { a: 'place', id, place } });
        return steps;
      },
    });
    return refused ? answer(refused) : this.#show(call, id, said);
  }

  async remove(call: ApiCall): Promise<ApiAnswer> {
    const actor = call.account();
    const frame = await this.#context.frames.of(actor);
    const id = idOf(call);
    const label = id === null ? undefined : frame.label(id);
    if (id === null || label === undefined) return answer(noLabel);
    return remove(this.#context, call, { row: label.row, missing: noLabel });
  }

  async #show(call: ApiCall, id: Id, warnings: readonly string[]): Promise<ApiAnswer> {
    const actor = call.account();
    const label = (await this.#context.frames.of(actor)).label(id);
    return answer(label ? { label: labelJson(label, actor.account) } : noLabel, warnings);
  }
}
