/** A gateway for a test, in front of one upstream for all dialects. */
import { type GatewayConfig, gatewayDefaults } from '../../../packages/palimpsest/src/config/gateway.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../packages/palimpsest/src/gateway/server.ts';

export type TestGateway = Gateway & AsyncDisposable;

/** Starts a gateway whose upstreams are all at `upstream`; for OpenAI its `/v1` is added. */
export async function gatewayBefore(
  upstream: string,
  settings: Partial<GatewayConfig> = {},
  options: Omit<GatewayOptions, 'config'> = {},
): Promise<TestGateway> {
  const at = (path: string) => ({ baseUrl: `${upstream}${path}`, keyVariable: null });
  const upstreams = { openaiChat: at('/v1'), openaiResponses: at('/v1'), anthropic: at(''), gemini: at('') };
  const config = { ...gatewayDefaults, port: 0, upstreams, ...settings };
  const gateway = await startGateway({ config, ...options });
  return { ...gateway, [Symbol.asyncDispose]: gateway.end };
}

/** A port where nobody listens. */
export const nobody = 'http://127.0.0.1:9';

/** Timers that fire when the test says so. */
export function handTimers(): {
  readonly after: (ms: number, fire: () => void) => () => void;
  /** Fires every timer of so many milliseconds. */
  readonly fire: (ms: number) => void;
  /** Settles when a timer of so many milliseconds runs. */
  readonly started: (ms: number) => Promise<void>;
} {
  const running = new Set<{ readonly ms: number; readonly fire: () => void }>();
  const hearers = new Set<() => void>();
  return {
    after: (ms, fire) => {
      const timer = { ms, fire };
      running.add(timer);
      for (const hear of hearers) hear();
      return () => void running.delete(timer);
    },
    fire: (ms) => {
      for (const timer of [...running]) {
        if (timer.ms !== ms) continue;
        running.delete(timer);
        timer.fire();
      }
    },
    started: (ms) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (![...running].some((timer) => timer.ms === ms)) return;
          hearers.delete(look);
          resolve();
        };
        hearers.add(look);
        look();
      }),
  };
}
