/** Calls of models that the library makes itself, each in a span: `chat MODEL` by the conventions. */
import { defined } from '../shared/defined.ts';
import { type CallTokens, genAi, namedModel, usageAttributes } from './conventions.ts';
import { inSpan } from './tracer.ts';

/** What a model answers. */
interface Reply {
  readonly finish?: string;
  readonly usage?: CallTokens;
}

/** The call in its span. `name` is that of the model, as `provider/model`; `purpose` is what it is asked for. */
export function inModelCall<R extends Reply>(
  name: string,
  purpose: 'summary' | 'memory' | 'curator' | 'search',
  call: () => Promise<R>,
): Promise<R> {
  return inSpan(
    () => {
      const { provider, model } = namedModel(name);
      const attributes = { [genAi.operation]: 'chat', [genAi.provider]: provider, [genAi.requestModel]: model };
      return {
        name: `chat ${model}`,
        kind: 'client',
        attributes: { ...attributes, 'palimpsest.call.purpose': purpose },
      };
    },
    async (span) => {
      const reply = await call();
      // Adapters are not all type-checked: who asked judges the reply.
      const { finish, usage }: Reply = Object(reply);
      span?.setAttributes({
        ...usageAttributes(usage),
        ...defined({ [genAi.finishReasons]: finish === undefined ? undefined : [finish] }),
      });
      return reply;
    },
  );
}
