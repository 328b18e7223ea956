// Accounts on a server under test, made through its own door.
import { isId, type Id } from '#core/ids.ts';
import { signedInSchema } from '#wire/account.ts';
import type { HttpConnection } from './http-connection.ts';

export interface BenchAccount {
  readonly number: number;
  readonly scope: Id;
  readonly cookie: string;
}

export async function signUp(connection: HttpConnection, name: string): Promise<BenchAccount> {
  const credentials = { email: `${name}@example.com`, password: `a long enough phrase for ${name}` };
  const answer = await connection.post('/app/api/sign_up', JSON.stringify(credentials));
  const signedIn = signedInSchema.safeParse(answer.body);
  if (!signedIn.success || answer.cookie === null || !isId(signedIn.data.personalScope)) {
    throw new Error(`Signing up failed with ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return { number: signedIn.data.account, scope: signedIn.data.personalScope, cookie: answer.cookie };
}
