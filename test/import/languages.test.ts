// Dates and repeats in the languages of a file: a date with the name of a month is read, a repeat in words is not guessed. It stays in
// the notes, and the report says so.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTexts, report, say } from './files.ts';

/** A day and a repeat in Todoist's words, by language. */
const LANGUAGES = {
  de: ['8. Dez', 'jeden Montag'],
  fr: ['8 déc.', 'tous les lundis'],
  es: ['8 dic', 'todos los lunes'],
  ja: ['12月8日', '毎週月曜日'],
  ru: ['8 дек.', 'каждый понедельник'],
} as const;

describe('languages of a file', () => {
  for (const [language, [day, repeat]] of Object.entries(LANGUAGES))
    test(`[IMPORT-117] ${language}: days are read, repeats stay in words and are listed`, async () => {
      const file = await readTexts({
        'House.csv': [
          'TYPE,CONTENT,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG',
          `task,Day,4,1,,,${day},${language}`,
          `task,Repeat,4,1,,,${repeat},${language}`,
        ].join('\n'),
      });
      assert.match(say(file), /Day \| due 2026-12-08$/m);
      const line =
        say(file)
          .split('\n')
          .find((each) => each.includes('Repeat')) ?? '';
      assert.ok(line.includes(repeat) && !line.includes('every'), line);
      assert.ok(report(file).includes(repeat), report(file));
    });

  test('[IMPORT-117] English is read as it is, also without a language beside it', async () => {
    const file = await readTexts({
      'House.csv':
        'TYPE,CONTENT,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG\ntask,A,4,1,,,every monday,en\ntask,B,4,1,,,every monday,',
    });
    assert.equal(say(file).match(/every 1 weeks/g)?.length, 2);
  });
});
