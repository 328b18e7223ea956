// Commands of the lesson: start or go on with it, skip a step, end it.
import { emptyWords } from '../app/empty-words.ts';
import { emptyOf } from '../app/empty.ts';
import { type Command, define, passed } from '../commands/define.ts';
import type { Program } from '../app/program.ts';
import { teaching } from './part.ts';

const group = 'Application' as const;

const isUnderWay = (program: Program) =>
  program.part(teaching).view.get() === null ? 'No lesson is running.' : null;

/** Going through the lesson, and what the empty screen leads to. */
export const teachingCommands: readonly Command[] = [
  define({
    id: 'lesson.start',
    title: 'Learn Posthaste in five steps',
    aliases: [
      'learn the first keys by doing',
      'lesson',
      'tutorial',
      'onboarding',
      'tour',
      'get started',
      'welcome',
      'practice',
    ],
    group,
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
    title: 'End the lesson',
    aliases: ['leave tutorial', 'stop onboarding', 'skip the lesson'],
    group,
    when: isUnderWay,
    run: (program) => program.part(teaching).run((lesson) => lesson.end()),
  }),
  define({
    id: 'outline.leadOn',
    title: 'Do what the empty screen suggests',
    group: 'Go to',
    inPalette: false,
    run(program) {
      const empty = emptyOf(program, emptyWords);
      return empty === null ? passed : program.run(empty.command);
    },
  }),
];
