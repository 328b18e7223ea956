// The client of the public API, for programs that run anywhere. Written by scripts/api-files.ts from the OpenAPI document
// (docs/api/openapi.json); do not edit it.
import { ApiCaller } from './client-core.ts';

export interface AppRelease {
  readonly id: string;
  readonly version: string;
  readonly release_notes: string;
  readonly made_generally_available_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly todo_item_id: string;
  readonly file_type: string;
  readonly file_size_in_bytes: number;
  readonly encrypted: boolean;
  readonly url: string;
  readonly user_id: number;
  readonly order_index: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly todo_item_deleted_at: null;
}

/** Time that you planned for a task. Every key is always there. */
export interface Block {
  readonly id: string;
  readonly todo_item_id: string;
  readonly local_start: string;
  readonly local_end: string;
  readonly duration_minutes: number;
  readonly time_zone: string | null;
  readonly is_done: boolean;
}

export interface BlockAnswer {
  readonly success: true;
  readonly block: Block;
  readonly warnings?: readonly string[] | undefined;
}

export interface BlocksAnswer {
  readonly success: true;
  readonly blocks: readonly Block[];
  readonly warnings?: readonly string[] | undefined;
}

/** Several new tasks, all or none. */
export interface BulkCreate {
  readonly create_bodies: readonly NewTask[];
  readonly strict?: boolean | null | undefined;
}

/** Several tasks by id. */
export interface BulkIds {
  readonly item_ids: readonly string[];
  readonly strict?: boolean | null | undefined;
}

/** Changes to several tasks, all or none. */
export interface BulkUpdate {
  readonly client_id?: string | null | undefined;
  readonly update_bodies: readonly ({
    readonly todo_item_id: string;
    readonly update_body: TaskChanges;
  })[];
  readonly strict?: boolean | null | undefined;
}

/** A calendar of another program. Every key is always there. */
export interface Calendar {
  readonly id: string;
  readonly name: string;
  readonly color_hex_string: string;
  readonly is_hidden: boolean;
  readonly problem: string | null;
  readonly read_at: string | null;
}

/** A comment on a task. Every key is always there. */
export interface Comment {
  readonly id: string;
  readonly todo_item_id: string;
  readonly user_id: number;
  readonly user_name: string | null;
  readonly text: string;
  readonly mentioned_user_ids: readonly number[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface CommentAnswer {
  readonly success: true;
  readonly comment: Comment;
  readonly warnings?: readonly string[] | undefined;
}

/** Comments, oldest first, one page at a time. */
export interface CommentsAnswer {
  readonly success: true;
  readonly comments: readonly Comment[];
  readonly next_cursor: string | null;
  readonly warnings?: readonly string[] | undefined;
}

/** A new time block. Without an end or a length it takes what its task takes, or 30 minutes. */
export interface CreateBlock {
  readonly id?: string | null | undefined;
  readonly local_start: string;
  readonly local_end?: string | null | undefined;
  readonly duration_minutes?: number | null | undefined;
  readonly time_zone?: string | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** A new comment on a task. */
export interface CreateComment {
  readonly id?: string | null | undefined;
  readonly text: string;
  readonly strict?: boolean | null | undefined;
}

export interface CreateLabel {
  readonly id?: string | null | undefined;
  readonly name: string;
  readonly color_hex_string?: string | null | undefined;
  readonly label_group_id?: string | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** A new list, folder, or smart list. */
export interface CreateList {
  readonly id?: string | null | undefined;
  readonly name: string;
  readonly list_type?: "list" | "folder" | "smart" | null | undefined;
  readonly notes?: string | null | undefined;
  readonly parent_id?: string | null | undefined;
  readonly order_index?: number | null | undefined;
  readonly ordinal?: string | null | undefined;
  readonly indent_level?: number | null | undefined;
  readonly smart_list_query?: string | null | undefined;
  readonly persistent_sort_field?: "due-date" | "start-date" | "creation-date" | "alphabetically" | "label" | "duration" | null | undefined;
  readonly persistent_sort_order?: "asc" | "desc" | null | undefined;
  readonly archived_at?: string | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** A macro, the tasks it is to run on, and values for its variables. */
export interface CreateMacroRun {
  readonly id?: string | null | undefined;
  readonly macro_id: string;
  readonly task_ids?: readonly string[] | null | undefined;
  readonly variables?: Readonly<Record<string, string>> | null | undefined;
  readonly dry_run?: boolean | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** A new public link. Without permissions, people only look. */
export interface CreatePublicLink {
  readonly name?: string | null | undefined;
  readonly permissions?: readonly ("add_tasks" | "complete_tasks" | "edit_titles" | "edit_notes" | "view_labels")[] | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** A new task. Without a list it goes to the Inbox. */
export interface CreateTask extends Omit<UpdateTask, 'title' | 'add_label_ids' | 'add_label_names' | 'remove_label_ids' | 'remove_label_names'> {
  readonly id?: string | null | undefined;
  readonly title: string;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface DesktopReleaseAnswer {
  readonly success: true;
  readonly release: SignedRelease | null;
  readonly staged_percent: number;
}

export interface Download {
  readonly ref?: string | null | undefined;
}

export interface DuplicateList {
  readonly name?: string | null | undefined;
}

export interface EmailAddress {
  readonly email: string;
}

/** A list, task, label, or anything else as it is stored. Siblings are in the order of their keys. */
export interface Entity {
  readonly id: string;
  readonly type: string;
  readonly created_at: number;
  readonly parent_id?: string | undefined;
  readonly key?: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly is_shared?: boolean | undefined;
}

/** An event of one of your calendars. Every key is always there. */
export interface Event {
  readonly id: string;
  readonly calendar_id: string;
  readonly title: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly is_all_day: boolean;
  readonly timeless_starts_at: string | null;
  readonly timeless_ends_at: string | null;
  readonly location: string;
  readonly description: string;
  readonly url: string | null;
  readonly is_busy: boolean;
  readonly is_tentative: boolean;
}

/** Events by their start, one page at a time. */
export interface EventsAnswer {
  readonly success: true;
  readonly events: readonly Event[];
  readonly calendars: readonly Calendar[];
  readonly next_cursor: string | null;
  readonly warnings?: readonly string[] | undefined;
}

/** Everything in the account, one page at a time. */
export interface ExportAnswer {
  readonly success: true;
  readonly entities: readonly Entity[];
  readonly people: readonly ({
    readonly user_id: number;
    readonly name: string;
  })[];
  readonly state: string;
  readonly next_cursor: string | null;
  readonly warnings?: readonly string[] | undefined;
}

export interface InvitationAnswer {
  readonly success: true;
  readonly list_name: string;
  readonly inviting_user_avatar_initials: string;
  readonly inviting_user_avatar_color_hex_string: string;
}

export interface ItemsAnswer {
  readonly success: true;
  readonly todo_items: readonly Task[];
  readonly warnings?: readonly string[] | undefined;
}

/** A label. Every key is always there. */
export interface Label {
  readonly id: string;
  readonly name: string;
  readonly color_hex_string: string;
  readonly user_id: number;
  readonly label_group_id: string | null;
  readonly associated_shared_list_id: string | null;
  readonly encrypted: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: null;
}

export interface LabelAnswer {
  readonly success: true;
  readonly label: Label;
  readonly warnings?: readonly string[] | undefined;
}

export interface LabelsAnswer {
  readonly success: true;
  readonly labels: readonly Label[];
  readonly warnings?: readonly string[] | undefined;
}

/** A list, folder, or smart list. Every key is always there. */
export interface List {
  readonly id: string;
  readonly user_id: number;
  readonly name: string;
  readonly list_type: "list" | "folder" | "inbox" | "smart";
  readonly indent_level: number;
  readonly parent_id: string | null;
  readonly order_index: number;
  readonly ordinal: string;
  readonly smart_list_query: string | null;
  readonly persistent_sort_field: string | null;
  readonly persistent_sort_order: string | null;
  readonly collaborator_user_ids: readonly number[];
  readonly is_shared: boolean;
  readonly email_address: string;
  readonly notes: string;
  readonly archived_at: string | null;
  readonly encrypted: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ListAnswer {
  readonly success: true;
  readonly list: List;
  readonly warnings?: readonly string[] | undefined;
}

export interface ListsAnswer {
  readonly success: true;
  readonly lists: readonly List[];
  readonly warnings?: readonly string[] | undefined;
}

/** A macro, with the variables that it asks for. Every key is always there. */
export interface Macro {
  readonly id: string;
  readonly name: string;
  readonly variables: readonly MacroVariable[];
  readonly can_run: boolean;
}

/** What a dry run would do to a task, a list, or a label, in words. */
export interface MacroChange {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly change: "created" | "changed" | "deleted" | "restored";
  readonly details: readonly string[];
}

/** A run of a macro on one of your devices. Every key is always there. */
export interface MacroRun {
  readonly id: string;
  readonly macro_id: string;
  readonly dry_run: boolean;
  readonly state: "waiting" | "running" | "done" | "stopped" | "expired" | "lost";
  readonly message: string | null;
  readonly changed_count: number;
  readonly created_count: number;
  readonly deleted_count: number;
  readonly changes: readonly MacroChange[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface MacroRunAnswer {
  readonly success: true;
  readonly macro_run: MacroRun;
  readonly warnings?: readonly string[] | undefined;
}

export interface MacroVariable {
  readonly name: string;
  readonly offered_value: string;
}

export interface MacrosAnswer {
  readonly success: true;
  readonly macros: readonly Macro[];
  readonly warnings?: readonly string[] | undefined;
}

/** One of several new tasks. Its parent can be one before it. */
export interface NewTask extends Omit<UpdateTask, 'title' | 'add_label_ids' | 'add_label_names' | 'remove_label_ids' | 'remove_label_names' | 'strict'> {
  readonly id?: string | null | undefined;
  readonly title: string;
}

export interface PageLoad {
  readonly ref?: string | null | undefined;
  readonly is_first: boolean;
}

export interface PromoCodeAnswer {
  readonly success: true;
  readonly name: string;
  readonly discount_percentage: number;
  readonly discount_num_months: number;
}

/** A public link of a list. Every key is always there. */
export interface PublicLink {
  readonly id: string;
  readonly list_id: string;
  readonly url: string | null;
  readonly name: string | null;
  readonly permissions: readonly ("add_tasks" | "complete_tasks" | "edit_titles" | "edit_notes" | "view_labels")[];
  readonly is_paused: boolean;
  readonly user_id: number;
  readonly visit_count: number;
  readonly change_count: number;
  readonly last_visited_at: string | null;
  readonly created_at: string;
}

export interface PublicLinkAnswer {
  readonly success: true;
  readonly public_link: PublicLink;
  readonly warnings?: readonly string[] | undefined;
}

export interface PublicLinksAnswer {
  readonly success: true;
  readonly public_links: readonly PublicLink[];
  readonly warnings?: readonly string[] | undefined;
}

/** `error` and `message` have the same text. `code` is from a fixed list. */
export interface Refusal {
  readonly success: false;
  readonly error: string;
  readonly message: string;
  readonly code: "unauthorized" | "wrong_credentials" | "otp_required" | "account_disabled" | "forbidden" | "not_found" | "method_not_allowed" | "email_taken" | "conflict" | "encrypted" | "too_large" | "unsupported_media_type" | "invalid" | "rate_limited" | "internal" | "busy" | "storage_full";
  readonly field?: string | undefined;
}

export interface ReleasesAnswer {
  readonly success: true;
  readonly app_releases: readonly AppRelease[];
}

export interface ResetPassword {
  readonly token: string;
  readonly new_password: string;
}

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly otp?: string | undefined;
}

export interface SignedIn {
  readonly success: true;
  readonly token: string;
  readonly user: User;
}

export interface SignedRelease {
  readonly manifest: string;
  readonly signature: string;
  readonly key: string;
}

export interface Success {
  readonly success: true;
  readonly warnings?: readonly string[] | undefined;
}

/** A task. Every key is always there. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly notes: string;
  readonly list_id: string;
  readonly parent_id: string | null;
  readonly user_id: number;
  readonly order_index: number;
  readonly ordinal: string;
  readonly indent_level: number;
  readonly label_ids: readonly string[];
  readonly label_names: readonly string[];
  readonly todo_item_attachments: readonly Attachment[];
  readonly assignee_user_id: number | null;
  readonly comment_count: number;
  readonly snooze_count: number;
  readonly is_complete: boolean;
  readonly is_cleared: boolean;
  readonly completed_at: string | null;
  readonly cleared_at: string | null;
  readonly due_at: string | null;
  readonly timeless_due_at: string | null;
  readonly is_due_at_timeless: boolean;
  readonly starts_at: string | null;
  readonly timeless_starts_at: string | null;
  readonly is_starts_at_timeless: boolean;
  readonly snoozed_until: string | null;
  readonly timeless_snoozed_until: string | null;
  readonly is_snoozed_until_timeless: boolean;
  readonly bookmarked_at: string | null;
  readonly notified_at: string | null;
  readonly duration_minutes: number | null;
  readonly repeat_value: number | null;
  readonly repeat_unit: string | null;
  readonly repeat_unit_metadata: Readonly<Record<string, unknown>> | null;
  readonly repeat_from: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly encrypted: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The same task under both keys. */
export interface TaskAnswer {
  readonly success: true;
  readonly task: Task;
  readonly todo_item: Task;
  readonly warnings?: readonly string[] | undefined;
}

/** Changes to one of several tasks. */
export type TaskChanges = Omit<UpdateTask, 'strict'>;

/** Tasks, one page at a time. */
export interface TasksAnswer {
  readonly success: true;
  readonly tasks: readonly Task[];
  readonly lists: readonly List[];
  readonly labels: readonly Label[];
  readonly next_cursor: string | null;
  readonly warnings?: readonly string[] | undefined;
}

/** Changes to a time block. What is left out stays. */
export interface UpdateBlock {
  readonly local_start?: string | null | undefined;
  readonly local_end?: string | null | undefined;
  readonly duration_minutes?: number | null | undefined;
  readonly time_zone?: string | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** A new text for a comment. */
export interface UpdateComment {
  readonly text: string;
  readonly strict?: boolean | null | undefined;
}

export interface UpdateLabel {
  readonly name?: string | null | undefined;
  readonly color_hex_string?: string | null | undefined;
  readonly label_group_id?: string | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** Changes to a list. What you leave out stays. */
export interface UpdateList extends Omit<CreateList, 'id' | 'name' | 'list_type'> {
  readonly name?: string | null | undefined;
}

/** Changes to a public link. What you leave out stays. */
export interface UpdatePublicLink {
  readonly name?: string | null | undefined;
  readonly permissions?: readonly ("add_tasks" | "complete_tasks" | "edit_titles" | "edit_notes" | "view_labels")[] | null | undefined;
  readonly is_paused?: boolean | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** Changes to a task. What you leave out stays. Null clears a date. */
export interface UpdateTask {
  readonly title?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly due_at?: string | null | undefined;
  readonly timeless_due_at?: string | null | undefined;
  readonly starts_at?: string | null | undefined;
  readonly timeless_starts_at?: string | null | undefined;
  readonly snoozed_until?: string | null | undefined;
  readonly timeless_snoozed_until?: string | null | undefined;
  readonly time_zone?: string | null | undefined;
  readonly duration_minutes?: number | null | undefined;
  readonly is_complete?: boolean | null | undefined;
  readonly is_cleared?: boolean | null | undefined;
  readonly completed_at?: string | null | undefined;
  readonly cleared_at?: string | null | undefined;
  readonly bookmarked_at?: string | null | undefined;
  readonly label_ids?: readonly string[] | null | undefined;
  readonly label_names?: readonly string[] | null | undefined;
  readonly assignee_user_id?: number | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly repeat_value?: number | null | undefined;
  readonly repeat_unit?: "minutes" | "hours" | "days" | "weeks" | "months" | "years" | "nth-weekday" | "nth-business-day-of-month" | "nth-weekend-day-of-month" | null | undefined;
  readonly repeat_unit_metadata?: {
    readonly weekdays: readonly ("Sun" | "Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat")[];
  } | {
    readonly monthDays: readonly (number | "last day")[];
  } | null | undefined;
  readonly repeat_from?: "due date" | "completion" | null | undefined;
  readonly list_id?: string | null | undefined;
  readonly parent_id?: string | null | undefined;
  readonly location?: "start" | "end" | null | undefined;
  readonly order_index?: number | null | undefined;
  readonly ordinal?: string | null | undefined;
  readonly indent_level?: number | null | undefined;
  readonly add_label_ids?: readonly string[] | null | undefined;
  readonly add_label_names?: readonly string[] | null | undefined;
  readonly remove_label_ids?: readonly string[] | null | undefined;
  readonly remove_label_names?: readonly string[] | null | undefined;
  readonly strict?: boolean | null | undefined;
}

export interface UpdatedItemsAnswer {
  readonly success: true;
  readonly updated_todo_items: readonly Task[];
  readonly warnings?: readonly string[] | undefined;
}

export interface User {
  readonly id: number;
  readonly email: string;
  readonly created_at: string;
}

export interface VersionAnswer {
  readonly success: true;
  readonly name: string;
}

/** Parameters of `listTasks`. */
export interface ListTasksQuery {
  readonly status?: "incomplete" | "complete" | undefined;
  readonly list_id?: string | undefined;
  readonly updated_before?: string | undefined;
  readonly updated_after?: string | undefined;
  readonly query?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** Parameters of `listComments`. */
export interface ListCommentsQuery {
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** Parameters of `listEvents`. */
export interface ListEventsQuery {
  readonly from: string;
  readonly to?: string | undefined;
  readonly time_zone?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** Parameters of `listItems`. */
export interface ListItemsQuery {
  readonly item_ids: string;
}

/** Parameters of `exportAccount`. */
export interface ExportAccountQuery {
  readonly cursor?: string | undefined;
}

/** A method for each call; each rejects as `ApiCaller` says. */
export class ApiClient extends ApiCaller {
  /** Get a token with an email address and password. */
  signIn(body: SignIn): Promise<SignedIn> {
    return this.call('POST', '/sessions/sign_in', { body });
  }

  /** Create an account and get its token. */
  signUp(body: Credentials): Promise<SignedIn> {
    return this.call('POST', '/sessions/sign_up', { body });
  }

  /** Revoke the token right away. */
  signOut(): Promise<Success> {
    return this.call('POST', '/sessions/sign_out');
  }

  /** Email a password reset link, if the account exists. */
  requestPasswordReset(body: EmailAddress): Promise<Success> {
    return this.call('POST', '/sessions/request_password_reset', { body });
  }

  /** Set a new password with the token from that link. */
  resetPassword(body: ResetPassword): Promise<Success> {
    return this.call('POST', '/sessions/reset_password', { body });
  }

  /** Create a task. */
  createTask(body: CreateTask): Promise<TaskAnswer> {
    return this.call('POST', '/tasks', { body });
  }

  /** List tasks, latest change first, with all lists and labels. */
  listTasks(query: ListTasksQuery = {}): Promise<TasksAnswer> {
    return this.call('GET', '/tasks', { query });
  }

  /** Get a task. */
  getTask(id: string): Promise<TaskAnswer> {
    return this.call('GET', `/tasks/${encodeURIComponent(id)}`);
  }

  /** Change a task. */
  updateTask(id: string, body: UpdateTask): Promise<TaskAnswer> {
    return this.call('PATCH', `/tasks/${encodeURIComponent(id)}`, { body });
  }

  /** Move a task to the trash. */
  deleteTask(id: string): Promise<Success> {
    return this.call('DELETE', `/tasks/${encodeURIComponent(id)}`);
  }

  /** List the comments of a task, oldest first. */
  listComments(id: string, query: ListCommentsQuery = {}): Promise<CommentsAnswer> {
    return this.call('GET', `/tasks/${encodeURIComponent(id)}/comments`, { query });
  }

  /** Comment on a task. */
  createComment(id: string, body: CreateComment): Promise<CommentAnswer> {
    return this.call('POST', `/tasks/${encodeURIComponent(id)}/comments`, { body });
  }

  /** Change a comment of your own. */
  updateComment(id: string, body: UpdateComment): Promise<CommentAnswer> {
    return this.call('PATCH', `/comments/${encodeURIComponent(id)}`, { body });
  }

  /** Delete a comment of your own, or anybody's in a list that you own. */
  deleteComment(id: string): Promise<Success> {
    return this.call('DELETE', `/comments/${encodeURIComponent(id)}`);
  }

  /** List the events of your calendars from one day to another, earliest first. */
  listEvents(query: ListEventsQuery): Promise<EventsAnswer> {
    return this.call('GET', '/events', { query });
  }

  /** List the time that you planned for a task, earliest first. */
  listBlocks(id: string): Promise<BlocksAnswer> {
    return this.call('GET', `/tasks/${encodeURIComponent(id)}/blocks`);
  }

  /** Plan time for a task. */
  createBlock(id: string, body: CreateBlock): Promise<BlockAnswer> {
    return this.call('POST', `/tasks/${encodeURIComponent(id)}/blocks`, { body });
  }

  /** Move planned time, or make it longer or shorter. */
  updateBlock(id: string, block: string, body: UpdateBlock): Promise<BlockAnswer> {
    return this.call('PATCH', `/tasks/${encodeURIComponent(id)}/blocks/${encodeURIComponent(block)}`, { body });
  }

  /** Remove planned time. */
  deleteBlock(id: string, block: string): Promise<Success> {
    return this.call('DELETE', `/tasks/${encodeURIComponent(id)}/blocks/${encodeURIComponent(block)}`);
  }

  /** Get the tasks with these ids, if they exist. */
  listItems(query: ListItemsQuery): Promise<ItemsAnswer> {
    return this.call('GET', '/todo_items/with_ids', { query });
  }

  /** Create several tasks, all or none. */
  createItems(body: BulkCreate): Promise<ItemsAnswer> {
    return this.call('POST', '/todo_items/bulk_create', { body });
  }

  /** Change several tasks, all or none. */
  updateItems(body: BulkUpdate): Promise<UpdatedItemsAnswer> {
    return this.call('POST', '/todo_items/bulk_update', { body });
  }

  /** Move several tasks and their subtasks to the trash, all or none. */
  deleteItems(body: BulkIds): Promise<Success> {
    return this.call('POST', '/todo_items/bulk_delete', { body });
  }

  /** Restore tasks from the trash, with everything deleted with them, all or none. */
  restoreItems(body: BulkIds): Promise<ItemsAnswer> {
    return this.call('POST', '/todo_items/bulk_restore', { body });
  }

  /** List all lists, folders, and smart lists in sidebar order. */
  listLists(): Promise<ListsAnswer> {
    return this.call('GET', '/lists');
  }

  /** Create a list, folder, or smart list. */
  createList(body: CreateList): Promise<ListAnswer> {
    return this.call('POST', '/lists', { body });
  }

  /** Change a list. */
  updateList(id: string, body: UpdateList): Promise<ListAnswer> {
    return this.call('PATCH', `/lists/${encodeURIComponent(id)}`, { body });
  }

  /** Move a list to the trash. */
  deleteList(id: string): Promise<Success> {
    return this.call('DELETE', `/lists/${encodeURIComponent(id)}`);
  }

  /** Duplicate a list with its tasks. */
  duplicateList(id: string, body: DuplicateList = {}): Promise<ListAnswer> {
    return this.call('POST', `/lists/${encodeURIComponent(id)}/duplicate`, { body });
  }

  /** List the public links of a list, oldest first. */
  listPublicLinks(id: string): Promise<PublicLinksAnswer> {
    return this.call('GET', `/lists/${encodeURIComponent(id)}/public_links`);
  }

  /** Create a public link: anyone who has it sees the list. */
  createPublicLink(id: string, body: CreatePublicLink = {}): Promise<PublicLinkAnswer> {
    return this.call('POST', `/lists/${encodeURIComponent(id)}/public_links`, { body });
  }

  /** Change a public link, or pause it. */
  updatePublicLink(id: string, link: string, body: UpdatePublicLink): Promise<PublicLinkAnswer> {
    return this.call('PATCH', `/lists/${encodeURIComponent(id)}/public_links/${encodeURIComponent(link)}`, { body });
  }

  /** Delete a public link. It stops working right away. */
  deletePublicLink(id: string, link: string): Promise<Success> {
    return this.call('DELETE', `/lists/${encodeURIComponent(id)}/public_links/${encodeURIComponent(link)}`);
  }

  /** List macros, and whether programs may run them. */
  listMacros(): Promise<MacrosAnswer> {
    return this.call('GET', '/macros');
  }

  /** Let one of your open devices run a macro on these tasks, or say what it would change. */
  createMacroRun(body: CreateMacroRun): Promise<MacroRunAnswer> {
    return this.call('POST', '/macro_runs', { body });
  }

  /** What has become of a run, for an hour. */
  getMacroRun(id: string): Promise<MacroRunAnswer> {
    return this.call('GET', `/macro_runs/${encodeURIComponent(id)}`);
  }

  /** Read everything in the account, one page at a time, with the trash. */
  exportAccount(query: ExportAccountQuery = {}): Promise<ExportAnswer> {
    return this.call('GET', '/export', { query });
  }

  /** Labels. */
  listLabels(): Promise<LabelsAnswer> {
    return this.call('GET', '/labels');
  }

  /** Create a label. */
  createLabel(body: CreateLabel): Promise<LabelAnswer> {
    return this.call('POST', '/labels', { body });
  }

  /** Change a label. */
  updateLabel(id: string, body: UpdateLabel): Promise<LabelAnswer> {
    return this.call('PATCH', `/labels/${encodeURIComponent(id)}`, { body });
  }

  /** Move a label to the trash. */
  deleteLabel(id: string): Promise<Success> {
    return this.call('DELETE', `/labels/${encodeURIComponent(id)}`);
  }

  /** List app releases with their notes. */
  listReleases(): Promise<ReleasesAnswer> {
    return this.call('GET', '/app_releases');
  }

  /** Get the newest public version. */
  latestVersion(): Promise<VersionAnswer> {
    return this.call('GET', '/update-check/latest');
  }

  /** Get the newest signed release of the desktop client. */
  latestDesktopRelease(platform: string): Promise<DesktopReleaseAnswer> {
    return this.call('GET', `/desktop_releases/${encodeURIComponent(platform)}/latest`);
  }

  /** Get a promo code's owner and discount. */
  getPromoCode(code: string): Promise<PromoCodeAnswer> {
    return this.call('GET', `/affiliate_promo_codes/${encodeURIComponent(code)}`);
  }

  /** Sign up as an affiliate, confirmed by email. */
  signUpAffiliate(body: EmailAddress): Promise<Success> {
    return this.call('POST', '/affiliate_sign_ups', { body });
  }

  /** Sign up for the newsletter, confirmed by email. */
  signUpForNewsletter(body: EmailAddress): Promise<Success> {
    return this.call('POST', '/newsletter_signups', { body });
  }

  /** Get an invitation's list and sender. */
  getListInvitation(token: string): Promise<InvitationAnswer> {
    return this.call('GET', `/list_invitations/${encodeURIComponent(token)}`);
  }

  /** Count a site visit. It stores nothing about the visitor. */
  countPageLoad(body: PageLoad): Promise<Success> {
    return this.call('POST', '/landing/pl', { body });
  }

  /** Count a download. */
  countDownload(body: Download): Promise<Success> {
    return this.call('POST', '/landing/dl', { body });
  }
}
