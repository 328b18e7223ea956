// Answers of the public API: every key is always present, and arrays are never null.
import * as z from 'zod/mini';
import { limits } from '#core/model.ts';
import { noted, scalarAnswers } from './values.ts';

const id = noted(z.string(), { format: 'uuid' });
const moment = noted(z.string(), { format: 'date-time' });
const day = noted(z.string(), { format: 'date' });
const maybeId = z.nullable(id);
const maybeMoment = z.nullable(moment);
const maybeDay = z.nullable(day);

const attachmentSchema = noted(
  z.strictObject({
    id,
    name: z.string(),
    todo_item_id: id,
    file_type: z.string(),
    file_size_in_bytes: z.int(),
    encrypted: z.boolean(),
    url: z.string(),
    user_id: z.int(),
    order_index: z.int(),
    created_at: moment,
    updated_at: moment,
    todo_item_deleted_at: z.null(),
  }),
  { id: 'Attachment' },
);
/** A file of a task, as the API answers it. */
export type ApiAttachment = z.infer<typeof attachmentSchema>;

export const taskSchema = noted(
  z.strictObject({
    id,
    title: z.string(),
    notes: z.string(),
    list_id: id,
    parent_id: maybeId,
    user_id: z.int(),
    order_index: z.number(),
    ordinal: z.string().check(z.minLength(1)),
    indent_level: z.int().check(z.gte(0), z.lte(limits.depth)),
    label_ids: z.array(id),
    label_names: z.array(z.string()),
    todo_item_attachments: z.array(attachmentSchema),
    assignee_user_id: z.nullable(z.int()),
    comment_count: z.int(),
    snooze_count: z.int(),
    is_complete: z.boolean(),
    is_cleared: z.boolean(),
    completed_at: maybeMoment,
    cleared_at: maybeMoment,
    due_at: maybeMoment,
    timeless_due_at: maybeDay,
    is_due_at_timeless: z.boolean(),
    starts_at: maybeMoment,
    timeless_starts_at: maybeDay,
    is_starts_at_timeless: z.boolean(),
    snoozed_until: maybeMoment,
    timeless_snoozed_until: maybeDay,
    is_snoozed_until_timeless: z.boolean(),
    bookmarked_at: maybeMoment,
    notified_at: maybeMoment,
    ...scalarAnswers,
    repeat_value: z.nullable(z.int()),
    repeat_unit: z.nullable(z.string()),
    repeat_unit_metadata: z.nullable(z.record(z.string(), z.unknown())),
    repeat_from: z.nullable(z.string()),
    metadata: z.record(z.string(), z.string()),
    encrypted: noted(z.boolean(), {
      description: 'True: some of it is end-to-end encrypted, and shown as if it were empty.',
    }),
    created_at: moment,
    updated_at: moment,
  }),
  { id: 'Task', description: 'A task. Every key is always there.' },
);
/** A task, as the API answers it. */
export type ApiTask = z.infer<typeof taskSchema>;

export const listSchema = noted(
  z.strictObject({
    id,
    user_id: z.int(),
    name: z.string(),
    list_type: z.enum(['list', 'folder', 'inbox', 'smart']),
    indent_level: z.int(),
    parent_id: maybeId,
    order_index: z.number(),
    ordinal: z.string().check(z.minLength(1)),
    smart_list_query: z.nullable(z.string()),
    persistent_sort_field: z.nullable(z.string()),
    persistent_sort_order: z.nullable(z.string()),
    collaborator_user_ids: z.array(z.int()),
    is_shared: z.boolean(),
    email_address: z.string(),
    notes: z.string(),
    archived_at: maybeMoment,
    encrypted: z.boolean(),
    created_at: moment,
    updated_at: moment,
  }),
  { id: 'List', description: 'A list, folder, or smart list. Every key is always there.' },
);
/** A list, folder or smart list, as the API answers it. */
export type ApiList = z.infer<typeof listSchema>;

export const labelSchema = noted(
  z.strictObject({
    id,
    name: z.string(),
    color_hex_string: z.string(),
    user_id: z.int(),
    label_group_id: maybeId,
    associated_shared_list_id: maybeId,
    encrypted: z.boolean(),
    created_at: moment,
    updated_at: moment,
    deleted_at: z.null(),
  }),
  { id: 'Label', description: 'A label. Every key is always there.' },
);
/** A label, as the API answers it. */
export type ApiLabel = z.infer<typeof labelSchema>;

/** Names of the permissions of a public link, as the API writes them. */
export const publicLinkPermissionSchema = z.enum([
  'add_tasks',
  'complete_tasks',
  'edit_titles',
  'edit_notes',
  'view_labels',
]);

const publicLinkSchema = noted(
  z.strictObject({
    id,
    list_id: id,
    url: noted(z.nullable(z.string()), {
      description:
        'Null for tokens that only read, and of encrypted lists, whose addresses have a key that only apps know.',
    }),
    name: noted(z.nullable(z.string()), { description: "Null: the list's own." }),
    permissions: z.array(publicLinkPermissionSchema),
    is_paused: z.boolean(),
    user_id: z.int(),
    visit_count: z.int(),
    change_count: z.int(),
    last_visited_at: maybeMoment,
    created_at: moment,
  }),
  { id: 'PublicLink', description: 'A public link of a list. Every key is always there.' },
);
/** A public link, as the API answers it. */
export type ApiPublicLink = z.infer<typeof publicLinkSchema>;
const commentSchema = noted(
  z.strictObject({
    id,
    todo_item_id: id,
    user_id: z.int(),
    user_name: noted(z.nullable(z.string()), { description: 'Null if none of your lists knows the person.' }),
    text: noted(z.string(), { description: 'People are mentioned by name.' }),
    mentioned_user_ids: z.array(z.int()),
    created_at: moment,
    updated_at: moment,
  }),
  { id: 'Comment', description: 'A comment on a task. Every key is always there.' },
);
/** A comment, as the API answers it. */
export type ApiComment = z.infer<typeof commentSchema>;

const userSchema = noted(z.strictObject({ id: z.int(), email: z.string(), created_at: moment }), {
  id: 'User',
});

const success = z.literal(true);
const warnings = z.optional(
  noted(z.array(z.string()), { description: "What was left out or couldn't be done." }),
);

export const okSchema = noted(z.strictObject({ success, warnings }), { id: 'Success' });
export const signedInAnswerSchema = noted(z.strictObject({ success, token: z.string(), user: userSchema }), {
  id: 'SignedIn',
});
export const taskAnswerSchema = noted(
  z.strictObject({ success, task: taskSchema, todo_item: taskSchema, warnings }),
  { id: 'TaskAnswer', description: 'The same task under both keys.' },
);
export const tasksAnswerSchema = noted(
  z.strictObject({
    success,
    tasks: z.array(taskSchema),
    lists: z.array(listSchema),
    labels: z.array(labelSchema),
    next_cursor: z.nullable(z.string()),
    warnings,
  }),
  { id: 'TasksAnswer', description: 'Tasks, one page at a time.' },
);
export const itemsAnswerSchema = noted(
  z.strictObject({ success, todo_items: z.array(taskSchema), warnings }),
  {
    id: 'ItemsAnswer',
  },
);
export const updatedItemsAnswerSchema = noted(
  z.strictObject({ success, updated_todo_items: z.array(taskSchema), warnings }),
  { id: 'UpdatedItemsAnswer' },
);
export const listsAnswerSchema = noted(z.strictObject({ success, lists: z.array(listSchema), warnings }), {
  id: 'ListsAnswer',
});
export const listAnswerSchema = noted(z.strictObject({ success, list: listSchema, warnings }), {
  id: 'ListAnswer',
});
const entitySchema = noted(
  z.strictObject({
    id,
    type: z.string(),
    created_at: z.number(),
    parent_id: z.optional(id),
    key: z.optional(z.string()),
    fields: z.record(z.string(), z.unknown()),
    is_shared: z.optional(z.boolean()),
  }),
  {
    id: 'Entity',
    description:
      'A list, task, label, or anything else as it is stored. Siblings are in the order of their keys.',
  },
);
/** Something of an account, as `exportAccount` answers it. */
export type ApiEntity = z.infer<typeof entitySchema>;

export const exportAnswerSchema = noted(
  z.strictObject({
    success,
    entities: z.array(entitySchema),
    people: z.array(z.strictObject({ user_id: z.int(), name: z.string() })),
    state: noted(z.string(), { description: 'Equal on all pages if nothing changed meanwhile.' }),
    next_cursor: z.nullable(z.string()),
    warnings,
  }),
  { id: 'ExportAnswer', description: 'Everything in the account, one page at a time.' },
);
export const labelsAnswerSchema = noted(z.strictObject({ success, labels: z.array(labelSchema), warnings }), {
  id: 'LabelsAnswer',
});
export const labelAnswerSchema = noted(z.strictObject({ success, label: labelSchema, warnings }), {
  id: 'LabelAnswer',
});

export const publicLinksAnswerSchema = noted(
  z.strictObject({ success, public_links: z.array(publicLinkSchema), warnings }),
  { id: 'PublicLinksAnswer' },
);
export const publicLinkAnswerSchema = noted(
  z.strictObject({ success, public_link: publicLinkSchema, warnings }),
  { id: 'PublicLinkAnswer' },
);
const macroSchema = noted(
  z.strictObject({
    id,
    name: z.string(),
    variables: z.array(
      noted(z.strictObject({ name: z.string(), offered_value: z.string() }), { id: 'MacroVariable' }),
    ),
    can_run: z.boolean(),
  }),
  { id: 'Macro', description: 'A macro, with the variables that it asks for. Every key is always there.' },
);
/** A macro, as the API answers it. */
export type ApiMacro = z.infer<typeof macroSchema>;

const macroRunSchema = noted(
  z.strictObject({
    id,
    macro_id: id,
    dry_run: z.boolean(),
    state: z.enum(['waiting', 'running', 'done', 'stopped', 'expired', 'lost']),
    message: z.nullable(z.string()),
    changed_count: z.int(),
    created_count: z.int(),
    deleted_count: z.int(),
    changes: z.array(
      noted(
        z.strictObject({
          id,
          type: z.string(),
          title: z.string(),
          change: z.enum(['created', 'changed', 'deleted', 'restored']),
          details: z.array(z.string()),
        }),
        {
          id: 'MacroChange',
          description: 'What a dry run would do to a task, a list, or a label, in words.',
        },
      ),
    ),
    created_at: moment,
    updated_at: moment,
  }),
  { id: 'MacroRun', description: 'A run of a macro on one of your devices. Every key is always there.' },
);
/** A run of a macro, as the API answers it. */
export type ApiMacroRun = z.infer<typeof macroRunSchema>;

export const macrosAnswerSchema = noted(z.strictObject({ success, macros: z.array(macroSchema), warnings }), {
  id: 'MacrosAnswer',
});
export const macroRunAnswerSchema = noted(z.strictObject({ success, macro_run: macroRunSchema, warnings }), {
  id: 'MacroRunAnswer',
});
export const commentsAnswerSchema = noted(
  z.strictObject({
    success,
    comments: z.array(commentSchema),
    next_cursor: z.nullable(z.string()),
    warnings,
  }),
  { id: 'CommentsAnswer', description: 'Comments, oldest first, one page at a time.' },
);
export const commentAnswerSchema = noted(z.strictObject({ success, comment: commentSchema, warnings }), {
  id: 'CommentAnswer',
});

const releaseSchema = z.strictObject({
  id,
  version: z.string(),
  release_notes: noted(z.string(), { description: 'HTML.' }),
  made_generally_available_at: maybeMoment,
  created_at: moment,
  updated_at: moment,
});
export const releasesAnswerSchema = noted(
  z.strictObject({ success, app_releases: z.array(noted(releaseSchema, { id: 'AppRelease' })) }),
  { id: 'ReleasesAnswer' },
);
export const versionAnswerSchema = noted(
  z.strictObject({ success, name: noted(z.string(), { example: 'v1.2.3' }) }),
  { id: 'VersionAnswer' },
);
export const desktopReleaseAnswerSchema = noted(
  z.strictObject({
    success,
    release: z.nullable(
      noted(
        z.strictObject({
          manifest: noted(z.string(), {
            description: 'JSON, exactly as it was signed: version, notes, and the files with their SHA-256.',
          }),
          signature: noted(z.string(), { description: 'Ed25519, hex.' }),
          key: noted(z.string(), { description: 'The public key of who signed, hex.' }),
        }),
        { id: 'SignedRelease' },
      ),
    ),
    staged_percent: noted(z.number(), {
      description: 'How many of a hundred devices may take it without being asked to.',
    }),
  }),
  { id: 'DesktopReleaseAnswer' },
);
export const promoCodeAnswerSchema = noted(
  z.strictObject({
    success,
    name: z.string(),
    discount_percentage: z.number(),
    discount_num_months: z.number(),
  }),
  { id: 'PromoCodeAnswer' },
);
export const invitationAnswerSchema = noted(
  z.strictObject({
    success,
    list_name: z.string(),
    inviting_user_avatar_initials: z.string(),
    inviting_user_avatar_color_hex_string: z.string(),
  }),
  { id: 'InvitationAnswer' },
);

/** The closed list of refusal codes. */
const refusalCodes = [
  'unauthorized',
  'wrong_credentials',
  'otp_required',
  'account_disabled',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'email_taken',
  'conflict',
  'encrypted',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'rate_limited',
  'internal',
  'busy',
  'storage_full',
  /** Only of servers with billing. */
  'payment_required',
] as const;

export const errorAnswerSchema = noted(
  z.strictObject({
    success: z.literal(false),
    error: z.string(),
    message: z.string(),
    code: z.enum(refusalCodes),
    field: z.optional(z.string()),
  }),
  { id: 'Refusal', description: '`error` and `message` have the same text. `code` is from a fixed list.' },
);
