// The table of the public API: input, output, access and limits of each call. The server's routes, the OpenAPI
// document, the client and the tables of the documentation are made from it.
import type * as z from 'zod/mini';
import {
  commentAnswerSchema,
  commentsAnswerSchema,
  invitationAnswerSchema,
  itemsAnswerSchema,
  labelAnswerSchema,
  labelsAnswerSchema,
  listAnswerSchema,
  listsAnswerSchema,
  okSchema,
  promoCodeAnswerSchema,
  releasesAnswerSchema,
  signedInAnswerSchema,
  taskAnswerSchema,
  tasksAnswerSchema,
  updatedItemsAnswerSchema,
  versionAnswerSchema,
} from './objects.ts';
import {
  bulkCreateSchema,
  bulkIdsSchema,
  bulkUpdateSchema,
  createCommentSchema,
  createLabelSchema,
  createListSchema,
  createTaskSchema,
  credentialsBodySchema,
  downloadBodySchema,
  duplicateListSchema,
  emailBodySchema,
  listCommentsQuerySchema,
  listTasksQuerySchema,
  pageLoadBodySchema,
  resetPasswordBodySchema,
  signInBodySchema,
  updateCommentSchema,
  updateLabelSchema,
  updateListSchema,
  updateTaskSchema,
  withIdsQuerySchema,
} from './requests.ts';

/** One call of the public API. Everything that is made from the table reads only these fields. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:id` stands for an id. */
  readonly path: string;
  readonly summary: string;
  /** Access that the token needs; null: no token is needed. */
  readonly access: 'read' | 'write' | null;
  readonly limit: 'listing' | 'reading' | 'writing' | null;
  /** A call of the public site's pages: open to anybody, within the limit of an address. */
  readonly isSite?: true;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The body may be left out. */
  readonly isBodyOptional?: true;
  readonly answer: z.ZodMiniType;
}

const forTheSite = { access: null, limit: null, isSite: true } as const;

/** Every call by its name, which is also its method in the client and its `operationId`. */
export const endpoints = {
  signIn: {
    method: 'POST',
    path: '/sessions/sign_in',
    summary: 'Get a token with an email address and password.',
    access: null,
    limit: null,
    body: signInBodySchema,
    answer: signedInAnswerSchema,
  },
  signUp: {
    method: 'POST',
    path: '/sessions/sign_up',
    summary: 'Create an account and get its token.',
    access: null,
    limit: null,
    body: credentialsBodySchema,
    answer: signedInAnswerSchema,
  },
  signOut: {
    method: 'POST',
    path: '/sessions/sign_out',
    summary: 'Revoke the token right away.',
    access: 'read',
    limit: null,
    answer: okSchema,
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/sessions/request_password_reset',
    summary: 'Email a password reset link, if the account exists.',
    ...forTheSite,
    body: emailBodySchema,
    answer: okSchema,
  },
  resetPassword: {
    method: 'POST',
    path: '/sessions/reset_password',
    summary: 'Set a new password with the token from that link.',
    ...forTheSite,
    body: resetPasswordBodySchema,
    answer: okSchema,
  },
  createTask: {
    method: 'POST',
    path: '/tasks',
    summary: 'Create a task.',
    access: 'write',
    limit: 'writing',
    body: createTaskSchema,
    answer: taskAnswerSchema,
  },
  listTasks: {
    method: 'GET',
    path: '/tasks',
    summary: 'List tasks, latest change first, with all lists and labels.',
    access: 'read',
    limit: 'listing',
    query: listTasksQuerySchema,
    answer: tasksAnswerSchema,
  },
  getTask: {
    method: 'GET',
    path: '/tasks/:id',
    summary: 'Get a task.',
    access: 'read',
    limit: 'reading',
    answer: taskAnswerSchema,
  },
  updateTask: {
    method: 'PATCH',
    path: '/tasks/:id',
    summary: 'Change a task.',
    access: 'write',
    limit: 'writing',
    body: updateTaskSchema,
    answer: taskAnswerSchema,
  },
  deleteTask: {
    method: 'DELETE',
    path: '/tasks/:id',
    summary: 'Move a task to the trash.',
    access: 'write',
    limit: 'writing',
    answer: okSchema,
  },
  listComments: {
    method: 'GET',
    path: '/tasks/:id/comments',
    summary: 'List the comments of a task, oldest first.',
    access: 'read',
    limit: 'reading',
    query: listCommentsQuerySchema,
    answer: commentsAnswerSchema,
  },
  createComment: {
    method: 'POST',
    path: '/tasks/:id/comments',
    summary: 'Comment on a task.',
    access: 'write',
    limit: 'writing',
    body: createCommentSchema,
    answer: commentAnswerSchema,
  },
  updateComment: {
    method: 'PATCH',
    path: '/comments/:id',
    summary: 'Change a comment of your own.',
    access: 'write',
    limit: 'writing',
    body: updateCommentSchema,
    answer: commentAnswerSchema,
  },
  deleteComment: {
    method: 'DELETE',
    path: '/comments/:id',
    summary: "Delete a comment of your own, or anybody's in a list that you own.",
    access: 'write',
    limit: 'writing',
    answer: okSchema,
  },
  listItems: {
    method: 'GET',
    path: '/todo_items/with_ids',
    summary: 'Get the tasks with these ids, if they exist.',
    access: 'read',
    limit: 'listing',
    query: withIdsQuerySchema,
    answer: itemsAnswerSchema,
  },
  createItems: {
    method: 'POST',
    path: '/todo_items/bulk_create',
    summary: 'Create several tasks, all or none.',
    access: 'write',
    limit: 'writing',
    body: bulkCreateSchema,
    answer: itemsAnswerSchema,
  },
  updateItems: {
    method: 'POST',
    path: '/todo_items/bulk_update',
    summary: 'Change several tasks, all or none.',
    access: 'write',
    limit: 'writing',
    body: bulkUpdateSchema,
    answer: updatedItemsAnswerSchema,
  },
  deleteItems: {
    method: 'POST',
    path: '/todo_items/bulk_delete',
    summary: 'Move several tasks and their subtasks to the trash, all or none.',
    access: 'write',
    limit: 'writing',
    body: bulkIdsSchema,
    answer: okSchema,
  },
  restoreItems: {
    method: 'POST',
    path: '/todo_items/bulk_restore',
    summary: 'Restore tasks from the trash, with everything deleted with them, all or none.',
    access: 'write',
    limit: 'writing',
    body: bulkIdsSchema,
    answer: itemsAnswerSchema,
  },
  listLists: {
    method: 'GET',
    path: '/lists',
    summary: 'List all lists, folders, and smart lists in sidebar order.',
    access: 'read',
    limit: 'listing',
    answer: listsAnswerSchema,
  },
  createList: {
    method: 'POST',
    path: '/lists',
    summary: 'Create a list, folder, or smart list.',
    access: 'write',
    limit: 'writing',
    body: createListSchema,
    answer: listAnswerSchema,
  },
  updateList: {
    method: 'PATCH',
    path: '/lists/:id',
    summary: 'Change a list.',
    access: 'write',
    limit: 'writing',
    body: updateListSchema,
    answer: listAnswerSchema,
  },
  deleteList: {
    method: 'DELETE',
    path: '/lists/:id',
    summary: 'Move a list to the trash.',
    access: 'write',
    limit: 'writing',
    answer: okSchema,
  },
  duplicateList: {
    method: 'POST',
    path: '/lists/:id/duplicate',
    summary: 'Duplicate a list with its tasks.',
    access: 'write',
    limit: 'writing',
    body: duplicateListSchema,
    isBodyOptional: true,
    answer: listAnswerSchema,
  },
  listLabels: {
    method: 'GET',
    path: '/labels',
    summary: 'Labels.',
    access: 'read',
    limit: 'listing',
    answer: labelsAnswerSchema,
  },
  createLabel: {
    method: 'POST',
    path: '/labels',
    summary: 'Create a label.',
    access: 'write',
    limit: 'writing',
    body: createLabelSchema,
    answer: labelAnswerSchema,
  },
  updateLabel: {
    method: 'PATCH',
    path: '/labels/:id',
    summary: 'Change a label.',
    access: 'write',
    limit: 'writing',
    body: updateLabelSchema,
    answer: labelAnswerSchema,
  },
  deleteLabel: {
    method: 'DELETE',
    path: '/labels/:id',
    summary: 'Move a label to the trash.',
    access: 'write',
    limit: 'writing',
    answer: okSchema,
  },
  listReleases: {
    method: 'GET',
    path: '/app_releases',
    summary: 'List app releases with their notes.',
    ...forTheSite,
    answer: releasesAnswerSchema,
  },
  latestVersion: {
    method: 'GET',
    path: '/update-check/latest',
    summary: 'Get the newest public version.',
    ...forTheSite,
    answer: versionAnswerSchema,
  },
  getPromoCode: {
    method: 'GET',
    path: '/affiliate_promo_codes/:code',
    summary: "Get a promo code's owner and discount.",
    ...forTheSite,
    answer: promoCodeAnswerSchema,
  },
  signUpAffiliate: {
    method: 'POST',
    path: '/affiliate_sign_ups',
    summary: 'Sign up as an affiliate, confirmed by email.',
    ...forTheSite,
    body: emailBodySchema,
    answer: okSchema,
  },
  signUpForNewsletter: {
    method: 'POST',
    path: '/newsletter_signups',
    summary: 'Sign up for the newsletter, confirmed by email.',
    ...forTheSite,
    body: emailBodySchema,
    answer: okSchema,
  },
  getListInvitation: {
    method: 'GET',
    path: '/list_invitations/:token',
    summary: "Get an invitation's list and sender.",
    ...forTheSite,
    answer: invitationAnswerSchema,
  },
  countPageLoad: {
    method: 'POST',
    path: '/landing/pl',
    summary: 'Count a site visit. It stores nothing about the visitor.',
    ...forTheSite,
    body: pageLoadBodySchema,
    answer: okSchema,
  },
  countDownload: {
    method: 'POST',
    path: '/landing/dl',
    summary: 'Count a download.',
    ...forTheSite,
    body: downloadBodySchema,
    answer: okSchema,
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

/** Name of a call of the public API, as in the client and in tables of handlers. */
export type EndpointName = keyof typeof endpoints;

/** Names of the calls that the public site's pages make. */
export type SiteCallName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { readonly isSite: true } ? Name : never;
}[EndpointName];
