// Commands about comments: reading those of a task, writing one, and changing or deleting one's own.
import type { Comment } from '#wire/api/client.ts';
import type { Call, Command } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { readInputText } from '../given-text.ts';
import { datesFor, type Dates, plainLine, plainText, whenOf } from '../printing.ts';
import { shortId } from '../seen.ts';

function authorOf({ user_name: name, user_id: id }: Comment): string {
  return name === null ? `person ${id}` : plainLine(name);
}

/** Who and when on one line, and below it what they wrote. */
function shown(comment: Comment, dates: Dates): string {
  const written = whenOf(comment.created_at, null, dates.context.zone);
  const at = written === null ? '' : `, ${dates.show(written).text}`;
  const text = plainText(comment.text).replaceAll(/^/gm, '        ');
  return `${shortId(comment.id)}  ${authorOf(comment)}${at}\n${text}`;
}

const comments: Command = {
  name: 'comments',
  usage: '<task>',
  summary: 'Show the comments of a task, oldest first.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const [text, ...more] = call.words;
    if (text === undefined || more.length > 0) throw wrongUse('Which task? Type the end of its id.');
    const id = call.seen.task(text);
    const found: Comment[] = [];
    let cursor: string | null = null;
    do {
      const query: { readonly cursor?: string } = cursor === null ? {} : { cursor };
      const page = await call.session.askPatiently((client) => client.listComments(id, query));
      found.push(...page.comments);
      cursor = page.next_cursor;
    } while (cursor !== null);
    call.seen.add(found);
    const dates = datesFor(call.world);
    const lines = found.map((comment) => shown(comment, dates));
    call.show({ success: true, comments: found }, lines.join('\n') || 'No comments.');
  },
};

function commentNamed(call: Call, text: string): string {
  const id = call.seen.find(text);
  if (id === null)
    throw new Failure('missing', `“${text}” isn't a comment you've seen. See: posthaste comments <task>`);
  return id;
}

/** What was typed is printed back where it could not be sent. */
async function sent(call: Call, text: string, send: () => Promise<Comment>): Promise<Comment> {
  try {
    return await send();
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('unexpected', String(error));
    const typed = plainText(text).replaceAll(/^/gm, '  ');
    throw new Failure(failure.kind, `${failure.message}\nNot saved:\n${typed}`, {
      retryMs: failure.retryMs,
    });
  }
}

const comment: Command = {
  name: 'comment',
  usage: '<task> <text…> | -',
  summary: 'Comment on a task; @Name mentions a person of its list.',
  details: [
    'With -, the comment is the input. To change or delete a comment of yours, name it by the end of its id, as `posthaste',
    'comments` shows it.',
  ],
  options: [
    { name: 'change', value: 'comment', summary: 'a new text for this comment, instead of a new one' },
    { name: 'delete', value: 'comment', summary: 'delete this comment' },
  ],
  sendsOutbox: true,
  async run(call) {
    const [removed, changed] = [call.option('delete'), call.option('change')];
    if (removed !== undefined) {
      if (changed !== undefined || call.words.length > 0) throw wrongUse('--delete takes nothing else.');
      const id = commentNamed(call, removed);
      await call.session.ask((client) => client.deleteComment(id));
      call.show({ success: true, id }, 'Deleted the comment.');
      return;
    }
    const [task, ...rest] = changed === undefined ? call.words : ['', ...call.words];
    if (task === undefined) throw wrongUse('Which task? Type the end of its id, and then the comment.');
    const isRead = rest.length === 1 && rest[0] === '-';
    const text = isRead ? (await readInputText(call.world)).trim() : rest.join(' ');
    if (text.trim() === '') throw wrongUse('Type the comment.');
    const made = await sent(call, text, async () => {
      const answer =
        changed === undefined
          ? await writeNew(call, call.seen.task(task), text)
          : await change(call, commentNamed(call, changed), text);
      for (const warning of answer.warnings ?? []) call.world.warn(plainLine(warning));
      return answer.comment;
    });
    call.seen.add([made]);
    const said = changed === undefined ? 'Commented.' : 'Changed the comment.';
    call.show({ success: true, comment: made }, `${said}  ${shortId(made.id)}`);
  },
};

/** With an id of our own, so that sending it again makes nothing twice. */
function writeNew(call: Call, task: string, text: string) {
  const id = call.world.newId();
  return call.session.ask((client) => client.createComment(task, { id, text }));
}

function change(call: Call, id: string, text: string) {
  return call.session.ask((client) => client.updateComment(id, { text }));
}

/** The commands comments and comment. */
export const commentingCommands: readonly Command[] = [comments, comment];
