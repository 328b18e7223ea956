// Turns the events of node:test into two kinds of lines: what a person reads (failures, and what tests print) and what
// scripts/test.ts reads (lines that begin with MARK and hold JSON). It is given to node as --test-reporter.
import type { TestEvent } from 'node:test/reporters';
import { relative } from 'node:path';
import { inspect } from 'node:util';

export const MARK = '\u0001';

/** What the runner says to scripts/test.ts, one per line after MARK. */
export type Message =
  | { readonly type: 'finished'; readonly file: string; readonly name: string; readonly ms: number }
  | { readonly type: 'counts'; readonly passed: number; readonly failed: number; readonly skipped: number };

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data'];

const say = (message: Message) => `${MARK}${JSON.stringify(message)}\n`;

function indent(text: string): string {
  return text.replaceAll(/^/gm, '      ');
}

/** A suite fails because a test in it did; only the test is worth a report. */
function isEcho(failure: Failure): boolean {
  const error: unknown = failure.details.error;
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed';
}

function describeFailure(failure: Failure, path: readonly string[]): string {
  const place = failure.file ? ` (${relative(process.cwd(), failure.file)}:${failure.line ?? 1})` : '';
  const error: unknown = failure.details.error.cause ?? failure.details.error;
  const text = error instanceof Error ? (error.stack ?? error.message) : inspect(error);
  return `  ✖ ${[...path, failure.name].join(' › ')}${place}\n${indent(text)}\n`;
}

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = [];
  for await (const event of source) {
    switch (event.type) {
      case 'test:start':
        path.length = event.data.nesting;
        path.push(event.data.name);
        break;
      case 'test:pass':
      case 'test:fail': {
        const { file } = event.data;
        if (file && event.data.details.type !== 'suite')
          yield say({ type: 'finished', file, name: event.data.name, ms: event.data.details.duration_ms });
        if (event.type === 'test:fail' && !isEcho(event.data)) {
          yield describeFailure(event.data, path.slice(0, event.data.nesting));
        }
        break;
      }
      case 'test:stdout':
      case 'test:stderr':
        yield event.data.message;
        break;
      case 'test:summary':
        // One summary per file comes first where files run in processes of their own; the one without a file is the sum.
        if (event.data.file === undefined) {
          const { tests, passed, skipped, todo } = event.data.counts;
          // What neither passed nor was left out has failed, be it by an assertion, a time limit or a crash.
          yield say({
            type: 'counts',
            passed,
            failed: tests - passed - skipped - todo,
            skipped: skipped + todo,
          });
        }
        break;
      default:
        break;
    }
  }
}
