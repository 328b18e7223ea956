// Runs of macros that programs ask for, over the web routes of our server. The page with the live socket hears of them.
import type { MacroRunsPort } from '#client/macro-runs/port.ts';
import { runsMessageSchema } from '#wire/live.ts';
import { takeAnswerSchema } from '#wire/macro-runs.ts';
import { callServer } from './http.ts';
import { liveLine } from './live-line.ts';

const TIMEOUT_MS = 20_000;
const PATH = '/app/api/macro-runs';

export function createMacroRunsPort(): MacroRunsPort {
  return {
    listen: (waiting) =>
      liveLine.listen({ heard: (message) => runsMessageSchema.safeParse(message).success && waiting() }),
    async take() {
      const reply = await callServer({ method: 'POST', path: `${PATH}/take`, timeoutMs: TIMEOUT_MS });
      const read = takeAnswerSchema.safeParse(reply.type === 'answer' ? reply.body : null);
      return read.data?.run ?? null;
    },
    async tell(id, outcome) {
      const path = `${PATH}/${id}/outcome`;
      const reply = await callServer({
        method: 'POST',
        path,
        body: outcome,
        timeoutMs: TIMEOUT_MS,
        keepalive: true,
      });
      return reply.type === 'answer' && reply.status < 500 && reply.status !== 429;
    },
  };
}
