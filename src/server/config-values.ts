// The kinds of values that an operator can set, each with its check. Messages never quote a value: it may hold a password.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';
import { parseServerKey } from './accounts/sealing.ts';
import { parseGroups } from './data/history-groups/location.ts';
import { parseBucket } from './files/bucket.ts';
import { parseRates } from './limits/rates.ts';

export const portSchema = (lowest: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, "isn't a port number")
    .transform(Number)
    .refine((port) => port >= lowest && port <= 65_535, `isn't between ${lowest} and 65535`);

export const hostNameSchema = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/,
    "isn't a lowercase host name, with a port if it isn't the usual one",
  );

export const mailDomainSchema = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, "isn't a lowercase domain");

export const fileSchema = z.string().transform((path) => resolve(path));

export const urlSchema = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `isn't a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

export const originSchema = urlSchema(['http:', 'https:'])
  .refine(
    (text) => URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`,
    'has a path, a query, or a name in it. Enter the origin only, like https://tasks.example.org',
  )
  .transform((text) => new URL(text).origin);

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

export const networksSchema = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isNetwork), "isn't a list of addresses or networks like 10.0.0.0/8,::1");

export const ratesSchema = z.string().transform((text, context) => {
  const rates = parseRates(text);
  if (rates.ok) return rates.value;
  context.addIssue({ code: 'custom', message: rates.problem });
  return z.NEVER;
});

export const bucketSchema = urlSchema(['http:', 'https:', 's3:']).transform((text, context) => {
  const bucket = parseBucket(text);
  if (bucket) return bucket;
  context.addIssue({ code: 'custom', message: 'is missing a bucket, or a key and secret' });
  return z.NEVER;
});

export const serverKeySchema = z.string().transform((text, context) => {
  const key = parseServerKey(text);
  if (key) return key;
  context.addIssue({
    code: 'custom',
    message: "isn't 32 bytes in base64, as `openssl rand -base64 32` prints them",
  });
  return z.NEVER;
});

export const groupsSchema = z.string().transform((text, context) => {
  const groups = parseGroups(text);
  if (groups.ok) return groups.value;
  context.addIssue({ code: 'custom', message: groups.problem });
  return z.NEVER;
});

export const databaseSchema = urlSchema(['postgres:', 'postgresql:']);
