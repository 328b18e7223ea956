// A question that the palette asks with a picker: what the picker offers as items of the palette, and waiting for the
// pickers while they are being loaded.
import type { Argument } from '../commands/command.ts';
import type { Program } from '../program.ts';
import type { PaletteItemView } from '../view.ts';
import { FAILED, pickerKind, pickers } from './door.ts';
import type { Choice, Picker } from './picker.ts';

export interface PickedItem extends PaletteItemView {
  /** Said about it while it is the active one. */
  readonly note?: string;
  /** Typed alone it is chosen. */
  readonly digit?: string;
  choose(): void;
}

export interface QuestionPorts {
  answer(value: string, label: string): void;
  /** Offers anew; `active` is to stay the active item. */
  again(active: string | null): void;
  /** Whether the question still stands. */
  stands(): boolean;
  close(): void;
}

export class PickerQuestion {
  readonly #program: Program;
  readonly #argument: Argument;
  readonly #ports: QuestionPorts;
  #picker: Picker | null = null;

  constructor(program: Program, argument: Argument, ports: QuestionPorts) {
    this.#program = program;
    this.#argument = argument;
    this.#ports = ports;
  }

  get note(): string | null {
    return this.#picker?.note ?? null;
  }

  items(query: string): readonly PickedItem[] {
    const kind = pickerKind(this.#argument.kind);
    if (kind === null) return [];
    const part = pickers.now;
    if (!part) {
      this.#await();
      const title = 'One moment';
      return [this.#item({ id: 'wait', title, hint: '', value: null, unavailable: title })];
    }
    this.#picker ??= part.createPicker(this.#program, kind);
    return this.#picker.choices(query).map((choice) => this.#item(choice));
  }

  #item(choice: Choice): PickedItem {
    const { title, hint, value, digit, note } = choice;
    const id = `pick.${choice.id.replaceAll(/\s+/g, '-')}`;
    return {
      id,
      title,
      hint,
      matches: [],
      keys: digit === undefined ? [] : [digit],
      heading: choice.heading ?? null,
      unavailable: choice.unavailable ?? null,
      ...(digit === undefined ? {} : { digit }),
      ...(note === undefined ? {} : { note }),
      choose: () => {
        if (value !== null) this.#ports.answer(value, title);
        else {
          choice.turn?.();
          this.#ports.again(id);
        }
      },
    };
  }

  #await(): void {
    const then = (work: () => void) => () =>
      this.#program.act(() => {
        if (this.#ports.stands()) work();
      });
    pickers.load().then(
      then(() => this.#ports.again(null)),
      then(() => {
        this.#ports.close();
        this.#program.say(FAILED, { error: true });
      }),
    );
  }
}
