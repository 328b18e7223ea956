// Calendars of files on a device: nothing of them can be read on an encrypted disk, and whatever becomes of the disk they stay.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openDB } from 'idb';
import type { Id } from '#core/ids.ts';
import { forgetKey, makeKey } from '../disk-seal/disk-keys.ts';
import { beginDisk, endDisk, type OpenDisk } from '../disk-seal/open-disks.ts';
import { readCalendarFile } from '../importing/calendar-job.ts';
import { forget } from '../storage/adoption.ts';
import { keptWith } from './beside-server.ts';
import {
  adoptFiles,
  dropFile,
  type FileCalendar,
  filesOf,
  forgetFiles,
  keepFile,
  settleFiles,
} from './file-store.ts';

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;

const TEXT = [
  'BEGIN:VCALENDAR',
  'X-WR-CALNAME:Trip',
  'BEGIN:VEVENT',
  'UID:a',
  'DTSTART:20261201T090000Z',
  'SUMMARY:Canary',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

const window = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2027, 10, 1), zone: 'UTC' };

async function fileOf(n: number): Promise<FileCalendar> {
  const found = await readCalendarFile(new TextEncoder().encode(TEXT), window);
  assert.ok(found.ok);
  const { text, read } = found.value;
  const { name, events, unread, isCut } = read;
  const times = { addedAt: n, readAt: n, expandedAt: n, trashedAt: null };
  const look = { fileName: 'trip.ics', color: '#7d6b99', isHidden: false };
  return { id: idOf(n), name, text, events, unread, isCut, ...times, ...look };
}

/** Everything that the database has, as text. */
async function raw(): Promise<string> {
  const db = await openDB('posthaste-calendar-files', 1);
  const all: unknown[] = await db.getAll('files');
  db.close();
  return all
    .map((each) =>
      JSON.stringify(each, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    )
    .join();
}

describe('calendars of files', () => {
  test('[CAL-36] files are kept by account, and shown beside what the server has', async () => {
    const [one, two] = [await fileOf(1), await fileOf(2)];
    await keepFile(1, two);
    await keepFile(1, one);
    await keepFile(2, await fileOf(3));
    assert.deepEqual(await filesOf(1), [one, two]);
    await keepFile(1, { ...two, isHidden: true });
    await keepFile(1, { ...(await fileOf(4)), trashedAt: 4 });
    const kept = keptWith(null, await filesOf(1));
    assert.deepEqual(
      kept?.sources.map(({ name, host, isHere, isHidden }) => [name, host, isHere, isHidden]),
      [
        ['Trip', 'trip.ics', true, false],
        ['Trip', 'trip.ics', true, true],
      ],
    );
    assert.deepEqual(
      kept.events.map(({ id, events }) => [id, events.map(({ title }) => title)]),
      [[idOf(1), ['Canary']]],
    );
    assert.deepEqual(kept.removed, [{ id: idOf(4), name: 'Trip', at: 4 }]);
    await dropFile(1, idOf(4));
    await forgetFiles(1);
    assert.deepEqual([(await filesOf(1)).length, (await filesOf(2)).length], [0, 1]);
    await forgetFiles(2);
    assert.equal(keptWith(null, await filesOf(1)), null);
  });

  test('[CAL-36] what was added without an account goes along into it, and goes with it alone', async () => {
    const file = await fileOf(1);
    await keepFile(0, file);
    await adoptFiles(7);
    // Twice is once.
    await adoptFiles(7);
    assert.deepEqual([await filesOf(0), await filesOf(7)], [[], [file]]);
    await keepFile(0, file);
    await forget({ id: idOf(9) });
    await forget({ id: idOf(9), binding: { account: 7, scope: idOf(8), email: '' } });
    assert.deepEqual([await filesOf(0), await filesOf(7)], [[file], []]);
    await forget({ id: idOf(9), binding: null });
    assert.deepEqual(await filesOf(0), []);
  });

  test('[CAL-37] on an encrypted disk nothing of them can be read, and they come back when it isn’t encrypted any longer', async () => {
    const disk: OpenDisk = { name: 'posthaste-disk-1', key: new Uint8Array(32), isOn: true };
    const file = await fileOf(1);
    await keepFile(7, file);
    assert.match(await raw(), /Canary/);
    await makeKey(disk.name);
    beginDisk(disk);
    // What was there before is encrypted when it is next read.
    assert.deepEqual(await filesOf(7), [file]);
    assert.doesNotMatch(await raw(), /Canary|Trip|trip/);
    assert.deepEqual(await filesOf(7), [file]);
    endDisk(disk);
    const off = { ...disk, isOn: false };
    beginDisk(off);
    await settleFiles('another', false);
    assert.doesNotMatch(await raw(), /Canary/);
    await settleFiles(disk.name, false);
    endDisk(off);
    assert.match(await raw(), /Canary/);
    await forgetKey(disk.name);
    assert.deepEqual(await filesOf(7), [file]);
    await forgetFiles(7);
  });

  test('[CAL-38] what is no calendar is refused, and the text of one gives its events again', async () => {
    const page = await readCalendarFile(new TextEncoder().encode('<!doctype html>'), window);
    assert.match(page.ok ? '' : page.problem, /This is no calendar/);
    const picture = await readCalendarFile(Uint8Array.of(0x89, 0x50, 0x4e, 0x47), window);
    assert.match(picture.ok ? '' : picture.problem, /This is no calendar/);
    const again = await readCalendarFile(TEXT, { ...window, from: Date.UTC(2027, 0, 1) });
    assert.deepEqual(again.ok && again.value.read.events, []);
  });
});
