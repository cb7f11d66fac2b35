/** Texts that hold other things: bodies as text, errors handed on inside a sentence, web pages in place of an answer. */
import { parseJson } from '../../shared/json.ts';

/** Of longer texts this much is searched for JSON. */
export const maxJsonChars = 20_000;
const maxMessageChars = 2_000;

/** JSON in a text, as bodies and errors handed on by a router are. */
export const isPacked = (text: string): boolean => /^\s*(?:\{|\[\s*[[{"])/.test(text) || /^\s*data:\s*\{/.test(text);

/** What a text says in words, without the JSON in it and cut to a bounded length; empty where that is nothing. */
export function wordsOf(text: string): string {
  if (isPacked(text)) return '';
  // A web page says what it is in its title.
  const page = /^\s*(?:<!doctype|<html|<\?xml)/i.test(text);
  const plain = page ? (/<title>([^<]{1,200})/i.exec(text)?.[1] ?? '') : text.slice(0, maxMessageChars);
  const words = jsonWithin(plain)?.around ?? plain;
  const clean = (quotesTheModel.exec(words)?.[0] ?? words).replace(quotedRequest, '').trim();
  return isWrapping.test(clean) ? '' : clean;
}

/** The JSON inside a message, and the words around it. */
export function jsonWithin(text: string): { readonly value: unknown; readonly around: string } | undefined {
  if (!holdsJson(text)) return undefined;
  const start = text.slice(0, maxJsonChars);
  const json = start.slice(start.indexOf('{'), start.lastIndexOf('}') + 1);
  const value = parseJson(json);
  return value === undefined ? undefined : { value, around: text.replace(json, () => '') };
}

/** JSON after some words of a router or an SDK: `400 {"type":"error",…}`. */
export const holdsJson = (text: unknown): boolean =>
  typeof text === 'string' && text.includes('{') && !quotesTheModel.test(text);

/** What follows these words is what the model wrote. */
const quotesTheModel = /^(?:JSON parsing|Type validation) failed/;

/** Pydantic as text gives back what was sent. */
const quotedRequest = /, 'input': .*$/s;

/** What the SDK wraps around an error; the error itself stands in the cause. */
const isWrapping = /^failed to process (?:successful|error) response$/i;
