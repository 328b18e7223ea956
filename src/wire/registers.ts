// The registers of each entity type and the values they may hold: the one check that all input passes before it is
// applied. Null is always allowed where a register has a default, and means that default.
import * as z from 'zod/mini';
import { isBlockRegister } from '#core/calendar/blocks.ts';
import { limits, sortFields, type EntityType, type FieldsByType } from '#core/model.ts';
import { isReminderRegister, registerOf, reminderLimits, type Reminder } from '#core/reminders.ts';
import {
  blockSchema,
  idSchema,
  jsonSchema,
  msSchema,
  notesSchema,
  reminderSchema,
  repeatRuleSchema,
  scalarSchemas,
  seriesValuesSchema,
  statusSchema,
  textSchema,
  titleSchema,
  whenSchema,
} from './values.ts';

const nameSchema = textSchema(limits.nameCodePoints);
const accountSchema = z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER));
const countSchema = z.int().check(z.gte(0), z.lte(1_000_000_000));
const deletionSchema = z.strictObject({ at: msSchema, by: z.int() });
const sortSchema = z.strictObject({ field: z.enum(sortFields), order: z.enum(['asc', 'desc']) });
/** A year. */
const LONGEST_CLEARING_HOURS = 8_784;
const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const visibilitySchema = z.enum(['private', 'shared']);

/** A type's registers as the model names them, without the place and those with open names (`label:<id>`). */
type NamedRegister<T extends EntityType> = Exclude<
  keyof {
    [Name in keyof FieldsByType[T] as {} extends Record<Name, unknown> ? never : Name]: unknown;
  },
  'place'
>;

const registers: Readonly<Record<EntityType, Readonly<Record<string, z.ZodMiniType>>>> = {
  task: {
    title: titleSchema,
    notes: notesSchema,
    due: whenSchema,
    start: whenSchema,
    repeat: repeatRuleSchema,
    series: seriesValuesSchema,
    occ: countSchema,
    status: statusSchema,
    assignee: accountSchema,
    ...scalarSchemas,
    origin: z.strictObject({ from: textSchema(320), messageId: textSchema(998), at: msSchema }),
    del: deletionSchema,
  },
  list: {
    listType: z.enum(['list', 'folder', 'inbox', 'smart']),
    name: nameSchema,
    notes: notesSchema,
    query: textSchema(limits.queryCodePoints),
    sort: sortSchema,
    archivedAt: msSchema,
    clearAfter: z.int().check(z.gte(1), z.lte(LONGEST_CLEARING_HOURS)),
    mailAddress: textSchema(64),
    del: deletionSchema,
  },
  label: {
    name: nameSchema,
    color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
    hotkey: textSchema(100),
    visibility: visibilitySchema,
    associatedSharedListID: idSchema,
    del: deletionSchema,
  },
  labelGroup: { name: nameSchema, visibility: visibilitySchema, exclusive: z.boolean(), del: deletionSchema },
  mine: {
    of: idSchema,
    snooze: whenSchema,
    snoozeCount: countSchema,
    bookmarkedAt: msSchema,
    collapsed: z.boolean(),
    reminded: msSchema,
    wake: z.array(msSchema).check(z.maxLength(reminderLimits.wakes)),
    order: textSchema(limits.ownOrderCharacters).check(z.regex(/^[A-Za-z][0-9A-Za-z]*$/)),
  },
  completion: {
    task: idSchema,
    occ: countSchema,
    at: msSchema,
    title: titleSchema,
    due: whenSchema,
    start: whenSchema,
    del: deletionSchema,
  },
  attachment: {
    name: nameSchema,
    fileType: textSchema(255),
    sizeBytes: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
    hash: hashSchema,
    content: z.strictObject({
      hash: hashSchema,
      bytes: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
      of: idSchema,
      scope: z.optional(idSchema),
    }),
    del: deletionSchema,
  },
  comment: {
    // 0: written without an account.
    author: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
    text: textSchema(limits.commentCodePoints),
    seal: textSchema(100),
    del: deletionSchema,
  },
  setting: {
    key: textSchema(200).check(z.minLength(1)),
    value: jsonSchema.check(
      z.refine((value) => JSON.stringify(value).length <= limits.settingBytes, 'is larger than 64 KiB'),
    ),
  },
  mount: {
    of: idSchema,
    hiddenAt: msSchema,
    joinedAt: msSchema,
    ownSort: z.union([sortSchema, z.enum(['by-hand', 'my-order'])]),
    seenVersion: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
    muted: z.boolean(),
  },
  member: {
    account: accountSchema,
    role: z.enum(['owner', 'member']),
    name: textSchema(limits.personCodePoints),
    initials: textSchema(8),
    emoji: textSchema(32),
    color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
    joinedAt: msSchema,
    leftAt: msSchema,
  },
} satisfies { readonly [T in EntityType]: Readonly<Record<NamedRegister<T>, z.ZodMiniType>> };

const requiredAtCreation: Readonly<Record<EntityType, readonly string[]>> = {
  task: [],
  list: ['listType'],
  label: [],
  labelGroup: [],
  mine: ['of'],
  completion: ['task', 'occ', 'at', 'title'],
  attachment: [],
  comment: ['text'],
  setting: ['key'],
  mount: ['of'],
  member: ['account'],
};

const labelled: ReadonlySet<EntityType> = new Set(['task', 'mine']);
const metaValueSchema = textSchema(limits.metadataCharacters);
const META_NAME = /^meta:[\s\S]{1,180}$/;

/** The names an entity type's registers can have besides `label:<id>` and `meta:<key>`. */
export function registerNames(type: EntityType): readonly string[] {
  return Object.keys(registers[type]);
}

/** The registers that an entity of a type has from its creation on. */
export function requiredRegisters(type: EntityType): readonly string[] {
  return requiredAtCreation[type];
}

/** Null when the register may hold the value, else a sentence about the problem that names the register. */
export function checkRegister(type: EntityType, register: string, value: unknown): string | null {
  if (register.startsWith('label:') && labelled.has(type)) {
    const label = register.slice(6);
    if (!isGoodAgain(labelled, label)) {
      if (!idSchema.safeParse(label).success) return `${register} doesn't name a label`;
      lastGood = { schema: labelled, value: label };
    }
    return value === true || value === null ? null : `${register} must be true or null`;
  }
  if (register.startsWith('meta:') && type === 'task') {
    if (!META_NAME.test(register)) return 'metadata names must have 1 to 180 characters';
    return value === null || metaValueSchema.safeParse(value).success
      ? null
      : `${register} must be text with at most 1,024 characters`;
  }
  if (type === 'mine' && isReminderRegister(register)) return checkReminder(register, value);
  if (type === 'mine' && isBlockRegister(register)) return checkBlock(register, value);
  const schema = Object.hasOwn(registers[type], register) ? registers[type][register] : undefined;
  if (schema === undefined) return `${type} has no ${register}`;
  if (value === null) return requiredAtCreation[type].includes(register) ? `${register} is required` : null;
  if (isGoodAgain(schema, value)) return null;
  const result = schema.safeParse(value);
  if (result.success && typeof value === 'object') lastGood = { schema, value };
  return result.success ? null : `${register} ${result.error.issues[0]?.message ?? 'is invalid'}`;
}

/** A command on many tasks gives them all the same value, which is then checked once. */
let lastGood: { readonly schema: unknown; readonly value: unknown } = { schema: null, value: null };

function isGoodAgain(schema: unknown, value: unknown): boolean {
  return lastGood.schema === schema && lastGood.value === value;
}

function checkReminder(register: string, value: unknown): string | null {
  if (register.length > 200) return 'the name of a reminder is too long';
  if (value === null) return null;
  if (isGoodAgain(reminderSchema, value)) return nameProblem(register, value as Reminder);
  const read = reminderSchema.safeParse(value);
  if (!read.success) return `${register} isn't a reminder`;
  lastGood = { schema: reminderSchema, value };
  return nameProblem(register, read.data);
}

function checkBlock(register: string, value: unknown): string | null {
  if (!idSchema.safeParse(register.slice('block:'.length)).success)
    return `${register} isn't the name of a time block`;
  return value === null || blockSchema.safeParse(value).success ? null : `${register} isn't a time block`;
}

function nameProblem(register: string, reminder: Reminder): string | null {
  return registerOf(reminder) === register ? null : `${register} isn't the name of this reminder`;
}

/** Null when these fields may create an entity of the type, else a sentence about the problem. */
export function checkCreation(type: EntityType, fields: Readonly<Record<string, unknown>>): string | null {
  for (const register of requiredAtCreation[type]) {
    if (fields[register] === undefined || fields[register] === null) return `${register} is required`;
  }
  for (const register of Object.keys(fields)) {
    const problem = checkRegister(type, register, fields[register]);
    if (problem !== null) return problem;
  }
  return null;
}

/** The two checks of registers, as code that applies operations takes them. */
export interface RegisterChecks {
  readonly register: typeof checkRegister;
  readonly creation: typeof checkCreation;
}

/** The checks of this version of the model. Server and devices both apply operations with them. */
export const registerChecks: RegisterChecks = { register: checkRegister, creation: checkCreation };
