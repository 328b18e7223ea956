// Asks the server for the e-mail address of a list. Loaded with the dialog that needs it.
import type { AccountPort } from '#client/app/app.ts';
import { mailAddressSchema } from '#wire/mail.ts';
import { callServer, codeOf, messageOf } from './http.ts';

const TIMEOUT_MS = 20_000;

export const mailAddress: AccountPort['mailAddress'] = async ({ scope, list }, isNew) => {
  const reply = await callServer({
    method: 'POST',
    path: isNew ? '/app/api/mail_address/new' : '/app/api/mail_address',
    body: { scope, list },
    timeoutMs: TIMEOUT_MS,
  });
  if (reply.type === 'none')
    return { type: 'offline', message: 'Can’t reach the server. Try again when you’re online.' };
  const read = mailAddressSchema.safeParse(reply.body);
  if (reply.status === 200 && read.success) return read.data;
  if (codeOf(reply.body) === 'email_unconfirmed')
    return { type: 'unconfirmed', message: messageOf(reply.body) ?? '' };
  return {
    type: 'failed',
    message: messageOf(reply.body) ?? 'Couldn’t read the server’s answer. Try again.',
  };
};
