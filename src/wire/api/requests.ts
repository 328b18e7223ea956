// Bodies and queries of the public API. Unknown keys are dropped here; the answer names them.
import * as z from 'zod/mini';
import { limits, sortFields } from '#core/model.ts';
import { isVariableName } from '#core/macros.ts';
import { runLimits } from '../macro-runs.ts';
import { linkPermissions, publicNameCodePoints } from '../public-links.ts';
import { repeatRuleSchema } from '../values.ts';
import { publicLinkPermissionSchema } from './objects.ts';
import {
  apiIdSchema,
  apiNotesSchema,
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
  referenceSchema,
  scalarChanges,
  zoneSchema,
} from './values.ts';

/** Size limits of API requests. */
export const apiLimits = {
  /** Tasks per page, and ids per look-up. */
  page: 250,
  bulk: 500,
  /** Tasks of a list to duplicate. */
  duplicate: 10_000,
  bodyBytes: 1024 * 1024,
  /** Parameters in the body of a GET. */
  queryBytes: 64 * 1024,
} as const;

const labelIds = z.array(referenceSchema).check(z.maxLength(1_000));
const labelNames = z
  .array(z.string().check(z.maxLength(limits.nameCodePoints * 2)))
  .check(z.maxLength(1_000));
const repeatShape = repeatRuleSchema.shape;

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
  notes: maybe(apiNotesSchema),
  ...dates,
  ...scalarChanges,
  is_complete: maybe(z.boolean()),
  is_cleared: maybe(z.boolean()),
  completed_at: maybe(momentSchema),
  cleared_at: maybe(momentSchema),
  bookmarked_at: maybe(momentSchema),
  label_ids: maybe(labelIds),
  label_names: maybe(labelNames),
  assignee_user_id: maybe(z.int().check(z.gte(1))),
  metadata: maybe(metadataSchema),
  repeat_value: maybe(repeatShape.value),
  repeat_unit: maybe(repeatShape.unit),
  repeat_unit_metadata: maybe(repeatShape.metadata),
  repeat_from: maybe(repeatShape.from),
};

const place = {
  list_id: maybe(referenceSchema),
  parent_id: maybe(referenceSchema),
  location: maybe(z.enum(['start', 'end'])),
  order_index: maybe(indexSchema),
  ordinal: maybe(ordinalSchema),
  indent_level: maybe(z.int().check(z.gte(0), z.lte(limits.depth))),
};

/** A field of every body. */
export const strict = {
  strict: noted(maybe(z.boolean()), {
    description: 'Refuse the request instead of returning warnings.',
  }),
};

const titleSchema = apiTextSchema(limits.titleCodePoints).check(
  z.refine((text) => text.trim() !== '', "can't be blank"),
);

const newTask = { id: maybe(apiIdSchema), title: titleSchema, ...content, ...place };

export const createTaskSchema = noted(z.object({ ...newTask, ...strict }), {
  id: 'CreateTask',
  description: 'A new task. Without a list it goes to the Inbox.',
});
/** Body of a call that creates one task. */
export type CreateTask = z.infer<typeof createTaskSchema>;

/** Body of `createItems`: new tasks, parents before their children. */
export const bulkCreateSchema = noted(
  z.object({
    create_bodies: z
      .array(
        noted(z.object(newTask), {
          id: 'NewTask',
          description: 'One of several new tasks. Its parent can be one before it.',
        }),
      )
      .check(z.maxLength(apiLimits.bulk)),
    ...strict,
  }),
  { id: 'BulkCreate', description: 'Several new tasks, all or none.' },
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

/** Body of `updateTask`. An absent key leaves the field alone. */
export const updateTaskSchema = noted(z.object({ ...changes, ...strict }), {
  id: 'UpdateTask',
  description: 'Changes to a task. What you leave out stays. Null clears a date.',
});
/** Changes of one task. */
export type UpdateTask = z.infer<typeof updateTaskSchema>;

const changesSchema = noted(z.object(changes), {
  id: 'TaskChanges',
  description: 'Changes to one of several tasks.',
});

export const bulkUpdateSchema = noted(
  z.object({
    client_id: maybe(z.string().check(z.maxLength(200))),
    update_bodies: z
      .array(z.object({ todo_item_id: referenceSchema, update_body: changesSchema }))
      .check(z.maxLength(apiLimits.bulk)),
    ...strict,
  }),
  { id: 'BulkUpdate', description: 'Changes to several tasks, all or none.' },
);
export type BulkUpdate = z.infer<typeof bulkUpdateSchema>;

export const bulkIdsSchema = noted(
  z.object({
    item_ids: z.array(referenceSchema).check(z.minLength(1), z.maxLength(apiLimits.bulk)),
    ...strict,
  }),
  { id: 'BulkIds', description: 'Several tasks by id.' },
);

const nameSchema = apiTextSchema(limits.nameCodePoints).check(
  z.refine((text) => text.trim() !== '', "can't be blank"),
);

const listContent = {
  notes: maybe(apiNotesSchema),
  parent_id: maybe(referenceSchema),
  order_index: maybe(indexSchema),
  ordinal: maybe(ordinalSchema),
  indent_level: maybe(z.int().check(z.gte(0), z.lte(limits.depth))),
  smart_list_query: maybe(apiTextSchema(limits.queryCodePoints)),
  persistent_sort_field: maybe(z.enum(sortFields)),
  persistent_sort_order: maybe(z.enum(['asc', 'desc'])),
  archived_at: maybe(momentSchema),
};

/** Body of `createList`. */
export const createListSchema = noted(
  z.object({
    id: maybe(apiIdSchema),
    name: nameSchema,
    list_type: maybe(z.enum(['list', 'folder', 'smart'])),
    ...listContent,
    ...strict,
  }),
  { id: 'CreateList', description: 'A new list, folder, or smart list.' },
);
/** A list that is to be made. */
export type CreateList = z.infer<typeof createListSchema>;

export const updateListSchema = noted(z.object({ name: maybe(nameSchema), ...listContent, ...strict }), {
  id: 'UpdateList',
  description: 'Changes to a list. What you leave out stays.',
});
/** Changes of one list. */
export type UpdateList = z.infer<typeof updateListSchema>;

export const duplicateListSchema = noted(z.object({ name: maybe(nameSchema) }), { id: 'DuplicateList' });

/** Body of `createLabel`. */
export const createLabelSchema = noted(
  z.object({
    id: maybe(apiIdSchema),
    name: nameSchema,
    color_hex_string: maybe(colorSchema),
    label_group_id: maybe(referenceSchema),
    ...strict,
  }),
  { id: 'CreateLabel' },
);
export type CreateLabel = z.infer<typeof createLabelSchema>;

export const updateLabelSchema = noted(
  z.object({
    name: maybe(nameSchema),
    color_hex_string: maybe(colorSchema),
    label_group_id: maybe(referenceSchema),
    ...strict,
  }),
  { id: 'UpdateLabel' },
);
export type UpdateLabel = z.infer<typeof updateLabelSchema>;

const publicLinkContent = {
  name: maybe(apiTextSchema(publicNameCodePoints)),
  permissions: maybe(z.array(publicLinkPermissionSchema).check(z.maxLength(linkPermissions.length))),
};

/** Body of `createPublicLink`. */
export const createPublicLinkSchema = noted(z.object({ ...publicLinkContent, ...strict }), {
  id: 'CreatePublicLink',
  description: 'A new public link. Without permissions, people only look.',
});

/** Body of `updatePublicLink`. */
export const updatePublicLinkSchema = noted(
  z.object({ ...publicLinkContent, is_paused: maybe(z.boolean()), ...strict }),
  { id: 'UpdatePublicLink', description: 'Changes to a public link. What you leave out stays.' },
);

const commentText = noted(
  apiTextSchema(limits.commentCodePoints).check(z.refine((text) => text.trim() !== '', "can't be blank")),
  { description: '@Name mentions a person of the list.' },
);

/** Body of `createComment`. */
export const createCommentSchema = noted(
  z.object({
    id: maybe(apiIdSchema),
    text: commentText,
    ...strict,
  }),
  { id: 'CreateComment', description: 'A new comment on a task.' },
);

/** Body of `updateComment`. */
export const updateCommentSchema = noted(z.object({ text: commentText, ...strict }), {
  id: 'UpdateComment',
  description: 'A new text for a comment.',
});

/** Where the next page begins. */
export const cursorParameter = z.optional(z.string().check(z.maxLength(400)));
/** How long a page is at most. */
export const limitParameter = z.optional(
  noted(z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|2[0-4]\d|250)$/, "isn't a number from 1 to 250")), {
    pattern: '^[0-9]+$',
    example: '250',
  }),
);

/** Query of `listComments`. */
export const listCommentsQuerySchema = z.object({ cursor: cursorParameter, limit: limitParameter });

/** Query of `exportAccount`. */
export const exportQuerySchema = z.object({ cursor: cursorParameter });

/** Query of `listTasks`. Parameters are text; an empty one counts as absent. */
export const listTasksQuerySchema = z.object({
  status: z.optional(z.enum(['incomplete', 'complete'])),
  list_id: z.optional(referenceSchema),
  updated_before: z.optional(boundSchema),
  updated_after: z.optional(boundSchema),
  query: z.optional(
    noted(z.string().check(z.maxLength(limits.queryCodePoints)), { example: 'is:due label:work' }),
  ),
  cursor: cursorParameter,
  limit: limitParameter,
});
export type ListTasksQuery = z.infer<typeof listTasksQuerySchema>;

export const withIdsQuerySchema = z.object({
  item_ids: noted(z.string().check(z.maxLength(20_000)), {
    description: 'Ids separated by commas, at most 250.',
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
        description: 'A one-time code, if the account uses them, or a recovery code.',
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

/** Body of `createMacroRun`. */
export const createMacroRunSchema = noted(
  z.object({
    id: maybe(apiIdSchema),
    macro_id: apiIdSchema,
    task_ids: maybe(z.array(apiIdSchema).check(z.maxLength(runLimits.tasks))),
    variables: maybe(
      z.record(
        z.string().check(z.refine(isVariableName, "isn't the name of a variable")),
        z.string().check(z.maxLength(runLimits.value)),
      ),
    ),
    dry_run: noted(maybe(z.boolean()), {
      description: 'Say what it would change, and change nothing.',
    }),
    ...strict,
  }),
  { id: 'CreateMacroRun', description: 'A macro, the tasks it is to run on, and values for its variables.' },
);
/** A run that a program asks for. */
export type CreateMacroRun = z.infer<typeof createMacroRunSchema>;
