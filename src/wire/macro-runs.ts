// Runs of macros that programs ask for: what a device takes from the server and tells it afterwards. Macros run on devices alone;
// the server passes on what is to be done, to one device, and keeps what came of it for a while.
import * as z from 'zod/mini';
import { isVariableName } from '#core/macros.ts';
import { idSchema } from './values.ts';

/** Sizes and times of runs. */
export const runLimits = {
  tasks: 500,
  variables: 50,
  /** Characters of a value, as in a link. */
  value: 1_000,
  /** Things of a dry run that are named. */
  shown: 200,
  details: 20,
  text: 500,
  /** Without a device it is over after so long. */
  waitMs: 60_000,
  /** A device that has not said for so long what came of it is taken for gone. */
  silentMs: 120_000,
  /** What is known of a run is kept so long. */
  keptMs: 3_600_000,
} as const;

const nameSchema = z.string().check(z.refine(isVariableName, "isn't the name of a variable"));

/** Values by name, as pairs: a name can be nothing but a name then. */
const valuesSchema = z
  .array(z.tuple([nameSchema, z.string().check(z.maxLength(runLimits.value))]))
  .check(z.maxLength(runLimits.variables));

/** What a run is about: written down until a device takes it. */
export const runContentSchema = z.object({
  tasks: z.array(idSchema).check(z.maxLength(runLimits.tasks)),
  values: valuesSchema,
});
/** The tasks and the values of a run. */
export type RunContent = z.infer<typeof runContentSchema>;

const takenRunSchema = z.object({
  id: idSchema,
  macro: idSchema,
  ...runContentSchema.shape,
  isDry: z.boolean(),
  /** The name of the token. */
  program: z.string(),
});
/** A run that this device does, and no other. */
export type TakenRun = z.infer<typeof takenRunSchema>;

/** Answer of `POST /app/api/macro-runs/take`. Null: nothing waits, or another device was faster. */
export const takeAnswerSchema = z.object({ run: z.nullable(takenRunSchema) });

const shownTextSchema = z.string().check(z.maxLength(runLimits.text));
const countSchema = z.int().check(z.gte(0), z.lte(1_000_000));

const runChangeSchema = z.object({
  id: idSchema,
  /** What it is: a task, a list, a label … */
  type: shownTextSchema,
  title: shownTextSchema,
  change: z.enum(['created', 'changed', 'deleted', 'restored']),
  /** As the app says it: “set the due date to tomorrow”. */
  details: z.array(shownTextSchema).check(z.maxLength(runLimits.details)),
});
/** What a dry run would do to a task, or to another thing. */
export type RunChange = z.infer<typeof runChangeSchema>;

/** Body of `POST /app/api/macro-runs/{id}/outcome`. */
export const runOutcomeSchema = z.object({
  state: z.enum(['done', 'stopped']),
  /** Why it stopped, or what there is to say. */
  message: z.nullable(shownTextSchema),
  changed: countSchema,
  created: countSchema,
  deleted: countSchema,
  /** Of a dry run: the first things it would change. */
  changes: z.array(runChangeSchema).check(z.maxLength(runLimits.shown)),
});
/** What came of a run. */
export type RunOutcome = z.infer<typeof runOutcomeSchema>;
