/** A conversation as what was said in it, one speaker after the other, each with the class of their words. */
import type { MemorySource } from '../../store/memory-store.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { isHostText, originOf, splitByWriter } from '../../transcript/origin.ts';
import { resultText } from '../../transcript/text.ts';
import { sanitize } from '../fence/fence.ts';
import { decodedIn } from './marks.ts';
import { ownWords } from './own-words.ts';
import { isForeign, lowest } from './sources.ts';
import { type CallReading, filesOf, readCall, type ToolSourceOptions } from './tool-source.ts';

/** What somebody said at one place. */
export interface Said {
  /** Where its message stands in the list. */
  readonly message: number;
  /** `unknown`: a summary or a host program, which pass on words of others without saying whose. */
  readonly speaker: 'person' | 'assistant' | 'tool' | 'unknown';
  /** Of an assistant, the class of a word that it is the first to say. */
  readonly source: MemorySource;
  readonly text: string;
  /** Of a tool, what the model itself put into the call or into the file that is shown. */
  readonly asked: readonly string[];
  /** The arguments of a call that does the agent's own work. */
  readonly isOwnCall?: true;
  /** The lowest class that came in since the person last spoke, and ever. */
  readonly turnTaint: MemorySource;
  readonly everTaint: MemorySource;
}

/** What was said in a conversation, and what has come into it by its end. */
export interface Heard {
  readonly said: readonly Said[];
  readonly turnTaint: MemorySource;
  readonly everTaint: MemorySource;
  /** A part of the conversation stands in it only as a summary. */
  readonly isSummarised: boolean;
}

/** Reads a conversation in its order. Linear. */
export function hear(messages: readonly Message[], options: ToolSourceOptions): Heard {
  const listener = new Listener(options);
  const open = openCalls(messages);
  messages.forEach((message, at) => {
    listener.listen(message, at, open);
  });
  return listener.heard();
}

/** Calls without a result: the write that is judged is one of them. */
function openCalls(messages: readonly Message[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'toolCall') open.add(part.callId);
    else if (part.type === 'toolResult') open.delete(part.callId);
  }
  return open;
}

class Listener {
  readonly #options: ToolSourceOptions;
  readonly #said: Said[] = [];
  readonly #known = new Map<string, MemorySource>();
  /** What the model wrote into files. */
  readonly #filled = new Map<string, ReadonlySet<string>>();
  readonly #calls = new Map<string, CallReading & { readonly asked: readonly string[] }>();
  #folder: string | undefined;
  #turnTaint: MemorySource = 'person';
  #everTaint: MemorySource = 'person';
  #isSummarised = false;

  constructor(options: ToolSourceOptions) {
    this.#options = options;
  }

  heard(): Heard {
    const [turnTaint, everTaint] = [this.#turnTaint, this.#everTaint];
    return { said: this.#said, turnTaint, everTaint, isSummarised: this.#isSummarised };
  }

  listen(message: Message, at: number, open: ReadonlySet<string>): void {
    if (message.role === 'system') return;
    if (message.role === 'user') this.#user(message, at);
    else
      for (const part of message.parts) {
        if (part.type === 'toolResult') this.#result(part, at);
        else if (part.type === 'toolCall') {
          if (!open.has(part.callId)) this.#call(part, at);
        } else if (message.role === 'assistant') this.#assistant(part, at);
      }
  }

  #add(said: Pick<Said, 'message' | 'speaker' | 'source' | 'text' | 'isOwnCall'>, asked: readonly string[] = []): void {
    if (said.text.trim() === '') return;
    if (isForeign(said.source) && said.speaker !== 'assistant') {
      this.#turnTaint = lowest(this.#turnTaint, said.source);
      this.#everTaint = lowest(this.#everTaint, said.source);
    }
    const text = [said.text, ...decodedIn(said.text)].join('\n');
    this.#said.push({ ...said, text, asked, turnTaint: this.#turnTaint, everTaint: this.#everTaint });
  }

  #user(message: Message, at: number): void {
    const origin = originOf(message);
    if (origin === 'person') this.#turnTaint = 'person';
    if (origin === 'summary') this.#isSummarised = true;
    for (const part of message.parts) {
      if (part.type === 'toolResult') this.#result(part, at);
      else if (part.type !== 'text')
        this.#add({ message: at, speaker: 'tool', source: 'document', text: textOf(part) });
      else if (origin !== 'person' || isHostText(part.text)) {
        const source = origin === 'summary' ? 'model' : 'own-tool';
        this.#add({ message: at, speaker: 'unknown', source, text: part.text });
      } else this.#person(part.text, at);
    }
  }

  #person(text: string, at: number): void {
    const { own: written, programs } = splitByWriter(text);
    const bare = sanitize(written);
    const { own, pasted } = ownWords(bare);
    const recalled = bare === written.trim() ? '' : written;
    this.#add({ message: at, speaker: 'tool', source: 'document', text: pasted });
    this.#add({ message: at, speaker: 'person', source: 'person', text: own });
    this.#add({ message: at, speaker: 'unknown', source: 'own-tool', text: [programs, recalled].join('\n') });
  }

  #assistant(part: Part, at: number): void {
    if (part.type === 'text' || part.type === 'reasoning') this.#own(part.text, at);
    else this.#add({ message: at, speaker: 'tool', source: 'outside-tool', text: textOf(part) });
  }

  /** What the model says of itself passes on the class of what it has just seen. */
  #own(text: string, at: number, isOwnCall = false): void {
    const said = { message: at, speaker: 'assistant', source: lowest('model', this.#turnTaint), text } as const;
    this.#add(isOwnCall ? { ...said, isOwnCall } : said);
  }

  #call(call: ToolCallPart, at: number): void {
    const { toolSources, projectFolder } = this.#options;
    const reading = readCall(call, {
      known: this.#known,
      ...(this.#folder === undefined ? {} : { folder: this.#folder }),
      ...(toolSources === undefined ? {} : { toolSources }),
      ...(projectFolder === undefined ? {} : { projectFolder }),
    });
    const text = plain(call.input);
    const written = [...this.#filled].filter(([name]) => call.input.includes(name)).flatMap(([, texts]) => [...texts]);
    const asked = [...new Set([text, ...written])];
    this.#own(text, at, reading.source === 'own-tool');
    this.#calls.set(call.callId, { ...reading, asked });
    for (const [path, source] of reading.puts) this.#known.set(path, source);
    for (const path of [...(reading.fills === undefined ? [] : filesOf(call)), ...reading.puts.keys()]) {
      const name = path.split('/').at(-1) ?? path;
      this.#filled.set(name, new Set([...(this.#filled.get(name) ?? []), ...asked]));
    }
    if (reading.folder !== undefined) this.#folder = reading.folder;
  }

  #result(part: ToolResultPart, at: number): void {
    const call = this.#calls.get(part.callId);
    const name = part.name ?? '';
    const source = call?.source ?? readCall({ ...unknownCall, name }, { known: new Map(), ...this.#options }).source;
    const isBare = call === undefined && source === 'own-tool';
    this.#add(
      { message: at, speaker: 'tool', source: isBare ? 'outside-tool' : source, text: resultText(part) },
      call?.asked,
    );
  }
}

const unknownCall: ToolCallPart = { type: 'toolCall', callId: '', name: '', input: '', inputType: 'text' };

const textOf = (part: Part): string =>
  part.type === 'file'
    ? `[file] ${part.name ?? ''}\n${part.text ?? ''}`
    : part.type === 'other'
      ? JSON.stringify(part.value)
      : '[image]';

/** The arguments of a call as they are meant, without the escapes of JSON, with what they encode. */
function plain(input: string): string {
  const text = input.replaceAll(/\\[nrt]/g, '\n').replaceAll(/\\(["\\/])/g, '$1');
  return [text, ...decodedIn(text)].join('\n');
}
