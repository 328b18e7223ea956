// The table of scalar task fields: registers that hold one value with an order, such as a duration. Search, sorting, details,
// history, files and the API read names, words and meaning here, so a new field is an entry here, a line in `ScalarFields` and its
// name in `scalarNames` (model.ts), a reader (scalar-readers.ts) and a schema in wire/values.ts. Not here: how a field is set by hand (client/pickers) and how rows show it.
import { sayDuration } from './dates/duration-words.ts';
import { scalarNames, type ScalarFields, type ScalarName } from './model.ts';

/** What a scalar register holds when it is set. */
export type ScalarValue = NonNullable<ScalarFields[ScalarName]>;

/** One scalar field. Its methods are only given values of its own register. */
export interface ScalarField {
  /** As a heading: "Duration". */
  readonly title: string;
  /** After "with" or "without": "a duration". */
  readonly noun: string;
  /** Before a value, when a query is explained: "taking" 30 min. */
  readonly verb: string;
  /** What the two directions of a sort are called, ascending first. */
  readonly orders: readonly [ascending: string, descending: string];
  /** The search operator, which has the field's own name. */
  readonly operator: {
    readonly aliases: readonly string[];
    readonly description: string;
    readonly example: string;
    readonly values: readonly string[];
  };
  /** After a value that cannot be read: "is no length of time". */
  readonly misread: string;
  /** A value that can be read, offered instead. */
  readonly hint: string;
  /** The member of tasks in the HTTP API. */
  readonly api: string;
  /** Headings of the column in tables, in lower case without spaces. */
  readonly columns: readonly string[];
  /** Attributes in OPML. */
  readonly attributes: readonly string[];
  /** In words, as details and history show it. */
  say(value: ScalarValue): string;
  /** The number that values are compared and sorted by. */
  rank(value: ScalarValue): number;
}

/** By register. The order is that of lists of fields. */
export const scalarFields = {
  duration: {
    title: 'Duration',
    noun: 'a duration',
    verb: 'taking',
    orders: ['shortest first', 'longest first'],
    operator: {
      aliases: ['length', 'estimate'],
      description: 'how long it takes',
      example: 'duration:<=30m',
      values: ['<=15m', '<=30m', '>1h', 'none', 'any'],
    },
    misread: 'isn’t a length, like 45m',
    hint: '30m',
    api: 'duration_minutes',
    columns: ['duration', 'durationminutes', 'minutes', 'estimate', 'estimatedduration', 'length'],
    attributes: ['duration', '_duration', 'estimatedMinutes', 'estimate'],
    say: sayDuration,
    rank: (minutes: number) => minutes,
  },
} as const satisfies { readonly [Name in ScalarName]: FieldOf<Name> };

/** A field whose methods take the values of the register `Name`. */
type FieldOf<Name extends ScalarName> = Omit<ScalarField, 'say' | 'rank'> & {
  say(value: NonNullable<ScalarFields[Name]>): string;
  rank(value: NonNullable<ScalarFields[Name]>): number;
};

/** The member of the HTTP API for each scalar register. */
export type ScalarMember<Name extends ScalarName> = (typeof scalarFields)[Name]['api'];

/** One field, for code that treats all alike. */
export function scalarField(name: ScalarName): ScalarField {
  return scalarFields[name];
}

/** Whether a register is one of them. */
export function isScalar(register: string): register is ScalarName {
  return Object.hasOwn(scalarFields, register);
}

/** The number that a task is compared and sorted by; NaN where the field is not set. */
export function rankOf(fields: ScalarFields, name: ScalarName): number {
  const value = fields[name] ?? null;
  return value === null ? Number.NaN : scalarField(name).rank(value);
}

/** An object with an entry for each scalar field. */
export function eachScalar<Value>(
  value: (name: ScalarName, field: ScalarField) => Value,
): Readonly<Record<ScalarName, Value>> {
  return Object.fromEntries(scalarNames.map((name) => [name, value(name, scalarField(name))])) as Record<
    ScalarName,
    Value
  >;
}
