// Bodies and queries that the public API takes. Unknown keys are left out here; the answer names them.
import * as z from 'zod/mini';
import { limits } from '#core/model.ts';
import { repeatRuleSchema } from '../values.ts';
import {
  apiIdSchema,
  apiTextSchema,
  boundSchema,
  colorSchema,
  daySchema,
  indexSchema,
  maybe,
  metadataSchema,
  momentSchema,
  noted,
  ordinalSchema,
  zoneSchema,
} from './values.ts';

export const apiLimits = {
  /** Tasks of one page, and ids of one look-up. */
  page: 250,
  bulk: 500,
  /** Tasks of a list that is duplicated. */
  duplicate: 10_000,
  bodyBytes: 1024 * 1024,
} as const;

const labelIds = z.array(apiIdSchema).check(z.maxLength(1_000));
const labelNames = z
  .array(z.string().check(z.maxLength(limits.nameCodePoints * 2)))
  .check(z.maxLength(1_000));
const repeatShape = repeatRuleSchema.shape;
const minutes = z.int().check(z.gte(0), z.lte(5_256_000));

const dates = {
  due_at: maybe(momentSchema),
  timeless_due_at: maybe(daySchema),
  starts_at: maybe(momentSchema),
  timeless_starts_at: maybe(daySchema),
  snoozed_until: maybe(momentSchema),
  timeless_snoozed_until: maybe(daySchema),
  time_zone: maybe(zoneSchema),
};

const content = {
  notes: maybe(apiTextSchema(limits.notesBytes)),
  ...dates,
  duration_minutes: maybe(minutes),
  is_complete: maybe(z.boolean()),
  is_cleared: maybe(z.boolean()),
  completed_at: maybe(momentSchema),
  cleared_at: maybe(momentSchema),
  bookmarked_at: maybe(momentSchema),
  label_ids: maybe(labelIds),
  label_names: maybe(labelNames),
  metadata: maybe(metadataSchema),
  repeat_value: maybe(repeatShape.value),
  repeat_unit: maybe(repeatShape.unit),
  repeat_unit_metadata: maybe(repeatShape.metadata),
  repeat_from: maybe(repeatShape.from),
};

const place = {
  list_id: maybe(apiIdSchema),
  parent_id: maybe(apiIdSchema),
  location: maybe(z.enum(['start', 'end'])),
  order_index: maybe(indexSchema),
  ordinal: maybe(ordinalSchema),
  indent_level: maybe(z.int().check(z.gte(0), z.lte(limits.depth))),
};

const strict = {
  strict: noted(maybe(z.boolean()), {
    description: 'Refuse the request where it would only be warned about.',
  }),
};

const titleSchema = apiTextSchema(limits.titleCodePoints).check(
  z.refine((text) => text.trim() !== '', 'must not be blank'),
);

const newTask = { id: maybe(apiIdSchema), title: titleSchema, ...content, ...place };

export const createTaskSchema = noted(z.object({ ...newTask, ...strict }), {
  id: 'CreateTask',
  description: 'A new task. Without a list it goes to the Inbox.',
});
export type CreateTask = z.infer<typeof createTaskSchema>;

export const bulkCreateSchema = noted(
  z.object({
    create_bodies: z
      .array(
        noted(z.object(newTask), {
          id: 'NewTask',
          description: 'One of several new tasks; its parent may be one before it.',
        }),
      )
      .check(z.maxLength(apiLimits.bulk)),
    ...strict,
  }),
  { id: 'BulkCreate', description: 'Several new tasks: all of them or none.' },
);
export type BulkCreate = z.infer<typeof bulkCreateSchema>;

const changes = {
  title: maybe(titleSchema),
  ...content,
  ...place,
  add_label_ids: maybe(labelIds),
  add_label_names: maybe(labelNames),
  remove_label_ids: maybe(labelIds),
  remove_label_names: maybe(labelNames),
};

export const updateTaskSchema = noted(z.object({ ...changes, ...strict }), {
  id: 'UpdateTask',
  description: 'What changes of a task; what is left out stays. Null clears a date.',
});
export type UpdateTask = z.infer<typeof updateTaskSchema>;

const changesSchema = noted(z.object(changes), {
  id: 'TaskChanges',
  description: 'What changes of one of several tasks.',
});

export const bulkUpdateSchema = noted(
  z.object({
    client_id: maybe(z.string().check(z.maxLength(200))),
    update_bodies: z
      .array(z.object({ todo_item_id: apiIdSchema, update_body: changesSchema }))
      .check(z.maxLength(apiLimits.bulk)),
    ...strict,
  }),
  { id: 'BulkUpdate', description: 'Changes of several tasks: all of them or none.' },
);
export type BulkUpdate = z.infer<typeof bulkUpdateSchema>;

const nameSchema = apiTextSchema(limits.nameCodePoints).check(
  z.refine((text) => text.trim() !== '', 'must not be blank'),
);
const sortFields = [
  'due-date',
  'start-date',
  'creation-date',
  'alphabetically',
  'label',
  'duration',
] as const;

const listContent = {
  notes: maybe(apiTextSchema(limits.notesBytes)),
  parent_id: maybe(apiIdSchema),
  order_index: maybe(indexSchema),
  ordinal: maybe(ordinalSchema),
  indent_level: maybe(z.int().check(z.gte(0), z.lte(limits.depth))),
  smart_list_query: maybe(apiTextSchema(limits.queryCodePoints)),
  persistent_sort_field: maybe(z.enum(sortFields)),
  persistent_sort_order: maybe(z.enum(['asc', 'desc'])),
  archived_at: maybe(momentSchema),
};

export const createListSchema = noted(
  z.object({
    id: maybe(apiIdSchema),
    name: nameSchema,
    list_type: maybe(z.enum(['list', 'folder', 'smart'])),
    ...listContent,
    ...strict,
  }),
  { id: 'CreateList', description: 'A new list, folder or smart list.' },
);
export type CreateList = z.infer<typeof createListSchema>;

export const updateListSchema = noted(z.object({ name: maybe(nameSchema), ...listContent, ...strict }), {
  id: 'UpdateList',
  description: 'What changes of a list; what is left out stays.',
});
export type UpdateList = z.infer<typeof updateListSchema>;

export const duplicateListSchema = noted(z.object({ name: maybe(nameSchema) }), { id: 'DuplicateList' });

export const createLabelSchema = noted(
  z.object({
    id: maybe(apiIdSchema),
    name: nameSchema,
    color_hex_string: maybe(colorSchema),
    label_group_id: maybe(apiIdSchema),
    ...strict,
  }),
  { id: 'CreateLabel' },
);
export type CreateLabel = z.infer<typeof createLabelSchema>;

export const updateLabelSchema = noted(
  z.object({
    name: maybe(nameSchema),
    color_hex_string: maybe(colorSchema),
    label_group_id: maybe(apiIdSchema),
    ...strict,
  }),
  { id: 'UpdateLabel' },
);
export type UpdateLabel = z.infer<typeof updateLabelSchema>;

/** Query parameters are text; an empty one counts as absent. */
export const listTasksQuerySchema = z.object({
  status: z.optional(z.enum(['incomplete', 'complete'])),
  list_id: z.optional(apiIdSchema),
  updated_before: z.optional(boundSchema),
  updated_after: z.optional(boundSchema),
  query: z.optional(
    noted(z.string().check(z.maxLength(limits.queryCodePoints)), { example: 'is:due label:work' }),
  ),
  cursor: z.optional(z.string().check(z.maxLength(400))),
  limit: z.optional(
    noted(z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|2[0-4]\d|250)$/, 'is not a number from 1 to 250')), {
      pattern: '^[0-9]+$',
      example: '250',
    }),
  ),
});
export type ListTasksQuery = z.infer<typeof listTasksQuerySchema>;

export const withIdsQuerySchema = z.object({
  item_ids: noted(z.string().check(z.maxLength(20_000)), {
    description: 'Ids with commas between, at most 250.',
  }),
});

export const credentialsBodySchema = noted(z.object({ email: z.string(), password: z.string() }), {
  id: 'Credentials',
});

export const signInBodySchema = noted(
  z.object({
    email: z.string(),
    password: z.string(),
    otp: z.optional(
      noted(z.string(), {
        description: 'The one-time code of an account that asks for one, or a recovery code.',
      }),
    ),
  }),
  { id: 'SignIn' },
);

const email = z.string().check(z.maxLength(1_000));
const referral = z.optional(z.nullable(z.string().check(z.maxLength(200))));

export const emailBodySchema = noted(z.object({ email }), { id: 'EmailAddress' });

export const resetPasswordBodySchema = noted(
  z.object({
    token: z.string().check(z.maxLength(200)),
    new_password: z.string().check(z.maxLength(4_096)),
  }),
  { id: 'ResetPassword' },
);

export const pageLoadBodySchema = noted(z.object({ ref: referral, is_first: z.boolean() }), {
  id: 'PageLoad',
});

export const downloadBodySchema = noted(z.object({ ref: referral }), { id: 'Download' });
