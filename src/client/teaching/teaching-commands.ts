// Commands of the lesson: start or resume it, skip a step, end it.
import { emptyOf } from '../app/empty.ts';
import { lessonTitle, openFirstRun, START_TITLE } from './first-run-lazy.ts';
import { type Command, define, passed } from '../commands/define.ts';
import type { Program } from '../app/program.ts';
import { teaching } from './part.ts';

const group = 'Application' as const;

const isUnderWay = (program: Program) =>
  program.part(teaching).view.get() === null ? 'No lesson is running.' : null;

/** Opening the first run, and going through the lesson. */
export const teachingCommands: readonly Command[] = [
  define({
    id: 'setup.open',
    title: START_TITLE,
    aliases: ['first run', 'welcome', 'set up', 'try keys', 'onboarding'],
    group,
    run: (program) => openFirstRun(program),
  }),
  define({
    id: 'lesson.start',
    title: 'Learn the first five keys',
    aliases: [
      'learn posthaste by doing',
      'lesson',
      'tutorial',
      'onboarding',
      'tour',
      'getting started',
      'practice',
    ],
    group,
    titleNow(program) {
      if (program.part(teaching).view.get() !== null) return 'Back to the lesson';
      return lessonTitle(program.platform);
    },
    run: (program) => program.part(teaching).run((lesson) => lesson.start()),
  }),
  define({
    id: 'lesson.skip',
    title: 'Skip this step of the lesson',
    aliases: ['next step', 'tutorial'],
    group,
    when: isUnderWay,
    run: (program) => program.part(teaching).run((lesson) => lesson.skip()),
  }),
  define({
    id: 'lesson.end',
    title: 'End lesson, remove the list',
    aliases: ['leave tutorial', 'stop onboarding', 'skip the lesson'],
    group,
    when: isUnderWay,
    run: (program) => program.part(teaching).run((lesson) => lesson.end(false)),
  }),
  define({
    id: 'lesson.keep',
    title: 'End lesson, keep the list',
    aliases: ['leave tutorial', 'keep practice tasks'],
    group,
    when: isUnderWay,
    run: (program) => program.part(teaching).run((lesson) => lesson.end(true)),
  }),
  define({
    id: 'outline.leadOn',
    title: 'Do what the empty screen suggests',
    group: 'Go to',
    inPalette: false,
    run(program) {
      const empty = emptyOf(program);
      return empty === null ? passed : program.run(empty.command);
    },
  }),
];
