/** Answers of the Gemini API, whole and as a stream of responses, as the content that the client sends back. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { type Assembler, append, charsIn, errorIn, type Growing, type Keep, reportIn } from '../assembler.ts';
import { asList, asName, asObject, is } from '../values.ts';

/** A reader of the answers of `generateContent` and `streamGenerateContent`. Only candidate 0 is read. */
export function createGeminiAssembler(keep: Keep): Assembler {
  let content: Growing | undefined;
  /** The parts of a stream so far. */
  const parts: Growing[] = [];
  let usage: JsonObject | undefined;
  let model: string | undefined;
  let finish: string | undefined;
  let error: JsonObject | undefined;

  const contentIn = (body: JsonObject): JsonObject | undefined => {
    // Code Assist wraps each response into another object.
    const response = isJsonObject(body.response) ? body.response : body;
    model ??= asName(response.modelVersion);
    usage = reportIn(response.usageMetadata) ?? usage;
    error ??= errorIn(body);
    const candidate = asList(response.candidates).map(asObject).find(isFirst) ?? {};
    const blocked = asName(asObject(response.promptFeedback).blockReason);
    finish = asName(candidate.finishReason) ?? blocked ?? finish;
    if (!isJsonObject(candidate.content)) return undefined;
    keep(charsIn(candidate.content));
    return candidate.content;
  };

  return {
    event: (data) => {
      const found = contentIn(data);
      if (!found) return;
      const { parts: more, ...fields } = found;
      content = { ...content, ...fields };
      for (const part of asList(more)) addPart(parts, part);
    },
    done: () => {},
    whole: (body) => {
      const found = contentIn(body);
      if (!found) return;
      content = { ...found };
      if (is.list(found.parts)) parts.push(...found.parts.map(asObject));
    },
    assembled: () => {
      const said = content ? [{ ...content, role: 'model', ...(parts.length > 0 ? { parts } : {}) }] : [];
      return { said, usage, model, finish, error, isWhole: error === undefined && finish !== undefined };
    },
  };
}

const isFirst = ({ index }: JsonObject): boolean => index === undefined || index === 0;

/**
 * Texts that go on become one, and thoughts do; a part with a signature stays apart, since it has to come back as it was signed:
 * https://ai.google.dev/gemini-api/docs/thought-signatures. An empty text says nothing.
 */
function addPart(parts: Growing[], value: JsonValue): void {
  if (!isJsonObject(value)) return;
  const isText = isPlainText(value);
  if (isText && value.text === '') return;
  const last = parts.at(-1);
  if (isText && last && isPlainText(last) && (last.thought === true) === (value.thought === true)) {
    append(last, 'text', value.text);
  } else parts.push({ ...value });
}

const isPlainText = ({ text, thought: _, ...more }: JsonObject): boolean =>
  is.text(text) && Object.keys(more).length === 0;
