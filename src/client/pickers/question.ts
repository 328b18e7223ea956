// A question that the palette asks with a picker: what the picker offers as items of the palette.
import type { Program } from '../program.ts';
import type { PaletteItemView } from '../view.ts';
import { createPicker } from './applying.ts';
import type { Choice, Picker, PickerKind } from './picker.ts';

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
  again(active: string): void;
}

export class PickerQuestion {
  readonly #ports: QuestionPorts;
  readonly #picker: Picker;

  constructor(program: Program, kind: PickerKind, ports: QuestionPorts) {
    this.#ports = ports;
    this.#picker = createPicker(program, kind);
  }

  get note(): string | null {
    return this.#picker.note;
  }

  items(query: string): readonly PickedItem[] {
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
}
