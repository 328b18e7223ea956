// The calls about labels.
import { parseId, type Id } from '#core/ids.ts';
import { placeOf } from '#sync/row-reading.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { RouteCall } from '../http/route.ts';
import { answer, creating, idOf, nothing, open, remove, type Doors } from './doors.ts';
import { labelJson } from './objects.ts';
import { Placing } from './placing.ts';
import { isProblem } from './problem.ts';
import type { Step } from './writing.ts';

const noLabel = nothing('label');
const DEFAULT_COLOR = '#808080';

export class LabelDoors {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async list(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const frame = await this.#doors.frames.of(actor);
    return answer({ labels: frame.labels.map((label) => labelJson(label, actor.account)) });
  }

  async create(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.createLabel.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const id = (input.id ? parseId(input.id) : null) ?? this.#doors.newId();
    if (frame.label(id)) return this.#show(call, id, warnings);
    const place = new Placing(this.#doors.reads, frame).ofLabel(input.label_group_id);
    if (isProblem(place)) return answer(place);
    const scope = frame.personal;
    const fields = { name: input.name, color: (input.color_hex_string ?? DEFAULT_COLOR).toLowerCase() };
    const action = { a: 'create', id, type: 'label', fields, place } as const;
    const refused = await this.#doors.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide: (view) => creating(view, { scope, action }),
    });
    return refused ? answer(refused) : this.#show(call, id, warnings);
  }

  async update(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.updateLabel.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const id = idOf(call);
    const label = id === null ? undefined : frame.label(id);
    if (id === null || label === undefined) return answer(noLabel);
    const group = input.label_group_id;
    const place = group === undefined ? null : new Placing(this.#doors.reads, frame).ofLabel(group);
    if (place !== null && 'problem' in place) return answer(place);
    const { scope } = label.row;
    const fields = {
      ...(input.name ? { name: input.name } : {}),
      ...(input.color_hex_string ? { color: input.color_hex_string.toLowerCase() } : {}),
    };
    const refused = await this.#doors.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide(view) {
        const row = view.row(scope, id);
        if (row === undefined) return noLabel;
        const steps: Step[] = Object.entries(fields)
          .filter(([field, value]) => row.fields[field] !== value)
          .map(([field, value]) => ({ scope, action: { a: 'set', id, field, value } }));
        if (place !== null && placeOf(row)?.parent !== place.parent)
          steps.push({ scope, action: { a: 'place', id, place } });
        return steps;
      },
    });
    return refused ? answer(refused) : this.#show(call, id, warnings);
  }

  async remove(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const frame = await this.#doors.frames.of(actor);
    const id = idOf(call);
    const label = id === null ? undefined : frame.label(id);
    if (id === null || label === undefined) return answer(noLabel);
    return remove(this.#doors, actor, { row: label.row, missing: noLabel });
  }

  async #show(call: RouteCall, id: Id, warnings: readonly string[]): Promise<Response> {
    const actor = call.account();
    const label = (await this.#doors.frames.of(actor)).label(id);
    return answer(label ? { label: labelJson(label, actor.account) } : noLabel, warnings);
  }
}
