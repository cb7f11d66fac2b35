/** Invented logs with usage: of Codex, whose model has a price in a data file, so that every figure can be checked. */

/** Noon where the tests run: reports count in days of the machine. */
const at = (day: number, minute: number): string => new Date(2026, 2, day, 12, minute).toISOString();

/** A call: on which day of March 2026, and what it used. */
export interface LoggedCall {
  readonly day: number;
  readonly prompt: number;
  readonly cached: number;
  readonly output: number;
  readonly model?: string;
}

/** A rollout of one session; its first request is `title`. */
export function rollout(id: string, title: string, calls: readonly LoggedCall[]): string {
  let total = 0;
  const lines = calls.flatMap(({ day, prompt, cached, output, model = 'gpt-5.5' }, place) => {
    const usage = {
      input_tokens: prompt,
      cached_input_tokens: cached,
      output_tokens: output,
      total_tokens: prompt + output,
    };
    total += prompt + output;
    const info = { last_token_usage: usage, total_token_usage: { ...usage, total_tokens: total } };
    const line = (type: string, payload: object): object => ({ timestamp: at(day, place), type, payload });
    const message = (role: string, text: string): object =>
      line('response_item', {
        type: 'message',
        role,
        content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
      });
    return [
      line('turn_context', { model, cwd: '/home/ada/oven' }),
      message('user', place === 0 ? title : `And then, ${place}?`),
      message('assistant', `Because of ${place}.`),
      line('event_msg', { type: 'token_count', info }),
    ];
  });
  const head = {
    timestamp: at(1, 0),
    type: 'session_meta',
    payload: { id, cwd: '/home/ada/oven', model_provider: 'openai' },
  };
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}
