/** Random contents and candidates of the Gemini API for property tests: every kind of part, and unknown fields at every level. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../packages/core/src/shared/json.ts';
import { base64, id, json, name, object, one, text, the } from './messages.ts';

const geminiContent = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    object({ text: text() }, { thoughtSignature: one<JsonValue>(text(), fc.constant(null)), thought: fc.boolean() }),
    object({
      inlineData: object(
        { mimeType: fc.constantFrom('image/png', 'application/pdf', 'audio/wav'), data: base64() },
        { displayName: one<JsonValue>(text(), fc.constant(null)) },
      ),
    }),
    object({
      fileData: object(
        {
          fileUri: fc.constantFrom(
            'https://example.com/a.png',
            'gs://box/a',
            'https://generativelanguage.googleapis.com/v1beta/files/a',
          ),
        },
        { mimeType: fc.constantFrom('image/png', 'video/mp4'), displayName: text() },
      ),
    }),
    object({ executableCode: object({ language: the('PYTHON'), code: text() }) }),
    object({ codeExecutionResult: object({ outcome: the('OUTCOME_OK') }, { output: text() }) }),
    object({ partOfTomorrow: json() }),
  );

const geminiResponse = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    fc
      .tuple(fc.constantFrom('output', 'error', 'result', 'content', 'stdout'), text())
      .map(([key, value]) => ({ [key]: value })),
    object({ output: json(), exitCode: fc.nat(2) }),
    json(),
  );

const geminiPart = (): fc.Arbitrary<JsonValue> =>
  one<JsonValue>(
    geminiContent(),
    object(
      { functionCall: object({ name: name() }, { id: id(), args: json(), willContinue: fc.boolean() }) },
      { thoughtSignature: text() },
    ),
    object({
      functionResponse: object(
        { name: name() },
        {
          id: id(),
          response: geminiResponse(),
          parts: fc.array(geminiContent(), { maxLength: 2 }),
          scheduling: the('SILENT'),
        },
      ),
    }),
  );

export const geminiContents = (): fc.Arbitrary<JsonObject> =>
  object(
    { parts: fc.array(geminiPart(), { maxLength: 4 }) },
    { role: fc.constantFrom('user', 'model', 'function', 'tester') },
  );

export const geminiCandidates = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    object(
      { content: object({ role: the('model') }, { parts: fc.array(geminiPart(), { maxLength: 3 }) }) },
      { finishReason: the('STOP'), index: fc.nat(3), citationMetadata: json() },
    ),
    object({ finishReason: the('SAFETY') }, { safetyRatings: json() }),
  );
