// Every part of the app that is loaded when it is first wanted.
import { loadDoors } from '#client/doors.ts';
import { laterPart } from '#client/later.ts';

export async function loadEverything(): Promise<void> {
  await Promise.all([laterPart.load(), loadDoors()]);
}
