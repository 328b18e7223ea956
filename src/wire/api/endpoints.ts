// The table of the public API: what each call takes and answers, who may make it and how it is limited. The server's
// routes, the OpenAPI document, the client and the tables of the documentation are made from it.
import type * as z from 'zod/mini';
import {
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
  bulkUpdateSchema,
  createLabelSchema,
  createListSchema,
  createTaskSchema,
  credentialsBodySchema,
  downloadBodySchema,
  duplicateListSchema,
  emailBodySchema,
  listTasksQuerySchema,
  pageLoadBodySchema,
  resetPasswordBodySchema,
  signInBodySchema,
  updateLabelSchema,
  updateListSchema,
  updateTaskSchema,
  withIdsQuerySchema,
} from './requests.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:id` stands for an id. */
  readonly path: string;
  readonly summary: string;
  /** What a token must be good for; null: none is asked for. */
  readonly access: 'read' | 'write' | null;
  readonly limit: 'listing' | 'reading' | 'writing' | null;
  /** What the public site's pages ask; anybody may, as often as an address may. */
  readonly isSite?: true;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The body may be left out. */
  readonly isBodyOptional?: true;
  readonly answer: z.ZodMiniType;
}

const forTheSite = { access: null, limit: null, isSite: true } as const;

export const endpoints = {
  signIn: {
    method: 'POST',
    path: '/sessions/sign_in',
    summary: 'Get a token for an email address and its password.',
    access: null,
    limit: null,
    body: signInBodySchema,
    answer: signedInAnswerSchema,
  },
  signUp: {
    method: 'POST',
    path: '/sessions/sign_up',
    summary: 'Make an account and get a token for it.',
    access: null,
    limit: null,
    body: credentialsBodySchema,
    answer: signedInAnswerSchema,
  },
  signOut: {
    method: 'POST',
    path: '/sessions/sign_out',
    summary: 'End the token at once.',
    access: 'read',
    limit: null,
    answer: okSchema,
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/sessions/request_password_reset',
    summary: 'Have a link for a new password mailed, if there is such an account.',
    ...forTheSite,
    body: emailBodySchema,
    answer: okSchema,
  },
  resetPassword: {
    method: 'POST',
    path: '/sessions/reset_password',
    summary: 'Set a new password with the token of that link.',
    ...forTheSite,
    body: resetPasswordBodySchema,
    answer: okSchema,
  },
  createTask: {
    method: 'POST',
    path: '/tasks',
    summary: 'Make a task.',
    access: 'write',
    limit: 'writing',
    body: createTaskSchema,
    answer: taskAnswerSchema,
  },
  listTasks: {
    method: 'GET',
    path: '/tasks',
    summary: 'Tasks, the latest changed first, with all lists and labels.',
    access: 'read',
    limit: 'listing',
    query: listTasksQuerySchema,
    answer: tasksAnswerSchema,
  },
  getTask: {
    method: 'GET',
    path: '/tasks/:id',
    summary: 'One task.',
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
  listItems: {
    method: 'GET',
    path: '/todo_items/with_ids',
    summary: 'The tasks with these ids, as far as they are there.',
    access: 'read',
    limit: 'listing',
    query: withIdsQuerySchema,
    answer: itemsAnswerSchema,
  },
  createItems: {
    method: 'POST',
    path: '/todo_items/bulk_create',
    summary: 'Make several tasks: all of them or none.',
    access: 'write',
    limit: 'writing',
    body: bulkCreateSchema,
    answer: itemsAnswerSchema,
  },
  updateItems: {
    method: 'POST',
    path: '/todo_items/bulk_update',
    summary: 'Change several tasks: all of them or none.',
    access: 'write',
    limit: 'writing',
    body: bulkUpdateSchema,
    answer: updatedItemsAnswerSchema,
  },
  listLists: {
    method: 'GET',
    path: '/lists',
    summary: 'Lists, folders and smart lists in the order of the sidebar.',
    access: 'read',
    limit: 'listing',
    answer: listsAnswerSchema,
  },
  createList: {
    method: 'POST',
    path: '/lists',
    summary: 'Make a list, folder or smart list.',
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
    summary: 'Copy a list with its tasks.',
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
    summary: 'Make a label.',
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
    summary: 'Releases of the app with their notes.',
    ...forTheSite,
    answer: releasesAnswerSchema,
  },
  latestVersion: {
    method: 'GET',
    path: '/update-check/latest',
    summary: 'The newest version that everybody can have.',
    ...forTheSite,
    answer: versionAnswerSchema,
  },
  getPromoCode: {
    method: 'GET',
    path: '/affiliate_promo_codes/:code',
    summary: 'Whose promo code it is, and what it takes off.',
    ...forTheSite,
    answer: promoCodeAnswerSchema,
  },
  signUpAffiliate: {
    method: 'POST',
    path: '/affiliate_sign_ups',
    summary: 'Ask to become a partner; confirmed by mail.',
    ...forTheSite,
    body: emailBodySchema,
    answer: okSchema,
  },
  signUpForNewsletter: {
    method: 'POST',
    path: '/newsletter_signups',
    summary: 'Ask for the newsletter; confirmed by mail.',
    ...forTheSite,
    body: emailBodySchema,
    answer: okSchema,
  },
  getListInvitation: {
    method: 'GET',
    path: '/list_invitations/:token',
    summary: 'Which list an invitation is to, and who sent it.',
    ...forTheSite,
    answer: invitationAnswerSchema,
  },
  countPageLoad: {
    method: 'POST',
    path: '/landing/pl',
    summary: 'Count a visit of the site. Nothing about the visitor is kept.',
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

export type EndpointName = keyof typeof endpoints;

/** Names of the calls that the public site's pages make. */
export type SiteCallName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { readonly isSite: true } ? Name : never;
}[EndpointName];
