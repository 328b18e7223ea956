// Every part of the app that is loaded when it is first wanted.
import { loadLazyParts } from '#client/loading/lazy-parts.ts';
import { restPart } from '#client/loading/rest.ts';

export async function loadEverything(): Promise<void> {
  await Promise.all([restPart.load(), loadLazyParts()]);
}
