// A question that the palette asks with a picker: the picker's choices as items of the palette.
import type { Program } from '../app/program.ts';
import type { PaletteItemView } from '../palette/palette-view.ts';
import { todayOf } from '../clock/dates.ts';
import { createPicker } from './applying.ts';
import { type Calendar, monthOf, type MonthStep, type MonthView, stepFrom } from './month.ts';
import { phraseContext } from './phrase-context.ts';
import type { Choice, Picker, PickerKind } from './picker.ts';

/** A picker's choice as an item of the palette. */
export interface PickedItem extends PaletteItemView {
  /** Shown while it is the active one. */
  readonly note?: string;
  /** The field's text for it. */
  readonly words?: string;
  /** The calendar day that it means. */
  readonly day?: NonNullable<Choice['day']>;
  choose(): void;
}

export interface QuestionPorts {
  answer(value: string, label: string): void;
  /** The key that accepts the active item, as keycaps. */
  acceptKeys(): readonly string[];
  /** The first keys of a command, as keycaps. */
  keysOf(command: string): readonly string[];
  /** Asks for the argument of another command, with these words in the field. */
  instead(command: string, words: string): void;
  /** Lists the choices again; `active` stays active. */
  again(active: string): void;
}

/** How the id of an initial choice begins. */
const PRESET = 'pick.preset';

/** One question of the palette. The palette asks it for items and for the month; it applies nothing itself. */
export class PickerQuestion {
  readonly #program: Program;
  readonly #ports: QuestionPorts;
  readonly #picker: Picker;

  /** `asked`: what about the target tasks, or a picker of its own. */
  constructor(program: Program, asked: PickerKind | Picker, ports: QuestionPorts) {
    this.#program = program;
    this.#ports = ports;
    this.#picker = typeof asked === 'string' ? createPicker(program, asked) : asked;
  }

  /** The month of the item's day, without an item of the day that is set; null if the picker asks for no day. */
  month(item: PickedItem | undefined, isFocused: boolean): MonthView | null {
    const date = this.#dayOf(item)?.date;
    if (date === undefined) return null;
    const held = this.#picker.held ?? null;
    // It begins with what is set now, before anything is chosen instead.
    const isPreset = item?.id.startsWith(PRESET) === true;
    const begins = held !== null && !isFocused && isPreset && this.items('')[0]?.id === item.id;
    return monthOf(date, this.#calendar(), { isFocused, held, shown: begins ? held : date });
  }

  /** The field's text for the day after a step; null if the picker asks for no day. */
  stepped(item: PickedItem | undefined, step: MonthStep): string | null {
    const day = this.#dayOf(item);
    return day && stepFrom(day.date, step, this.#calendar().weekStart) + day.rest;
  }

  /** The field's text for that day. */
  said(item: PickedItem | undefined, day: string): string {
    return day + (this.#dayOf(item)?.rest ?? '');
  }

  #dayOf(item: PickedItem | undefined): NonNullable<Choice['day']> | null {
    const { day } = this.#picker;
    if (day === undefined) return null;
    const isPreset = item?.id.startsWith(PRESET) === true;
    // The initial choices have a time of day of their own, which another day does not take over.
    return item?.day && isPreset ? { ...item.day, rest: day.rest } : (item?.day ?? day);
  }

  #calendar(): Calendar {
    const { locale, ...context } = this.#program.moment();
    const { weekStart } = phraseContext(this.#program, null);
    return { today: todayOf(context).toString(), weekStart, locale };
  }

  get note(): string | null {
    return this.#picker.note;
  }

  items(query: string): readonly PickedItem[] {
    return this.#picker.choices(query).map((choice) => this.#item(choice));
  }

  #item(choice: Choice): PickedItem {
    const { title, hint, value, digit, note, day, words, instead } = choice;
    const id = `pick.${choice.id.replaceAll(/\s+/g, '-')}`;
    return {
      id,
      title,
      hint,
      matches: [],
      keys: instead
        ? this.#ports.keysOf(instead.command)
        : digit === undefined
          ? []
          : [digit, ...this.#ports.acceptKeys()],
      heading: choice.heading ?? null,
      unavailable: choice.unavailable ?? null,
      ...(note === undefined ? {} : { note }),
      ...(words === undefined ? {} : { words }),
      ...(day === undefined ? {} : { day }),
      choose: () => {
        if (instead) this.#ports.instead(instead.command, instead.words);
        else if (value !== null) this.#ports.answer(value, title);
        else {
          choice.turn?.();
          this.#ports.again(id);
        }
      },
    };
  }
}
