/** What else a person asks on a long day: each as it is sent, with the words by which it is found again. */
import { newName, newPath, pick, type World } from '../invented-texts.ts';

export interface Asked {
  readonly message: string;
  readonly words: string;
  /** What a fact is about, without the words around it. */
  readonly value?: string;
}

const work = [
  'Why does {a} return nothing when the list is empty?',
  'Please rename {a} to something a newcomer would understand.',
  'Write a test for {a}. Two cases are enough.',
  'Now the same in {p}.',
  '{a} looks odd to me, what is it for?',
  'Could you move {a} out of the loop? It runs far too often.',
  'Find every place that calls {a}.',
  'I get a TypeError out of {a} since this morning. Have a look.',
  'Split {p} where it makes sense.',
  'What would break if I deleted {a}?',
  'Make {a} take an options object.',
  'Undo what you did to {a}, I liked it better before.',
  'Run the tests around {p} again.',
  'Let {a} log how long it took. One line will do.',
  'Document {a} briefly.',
  'In {p} there is a comment that no longer holds, fix it.',
  'Is {a} covered by anything?',
  'How often is {a} called on a normal day?',
  'Review {p} as if it came from somebody else.',
  'Cache what {a} gives back. Ten entries or so.',
  'Sort the imports in {p}.',
  'Schau mal, wo {a} überall benutzt wird.',
  'Schreib für {p} einen kurzen Test, bitte.',
  'Warum ist {a} so langsam?',
  '{a} の戻り値がおかしいので確認してください。',
  '{p} を二つに分けられますか。',
  '{a} 这个函数是做什么的?',
  '把 {p} 里的重复代码去掉。',
] as const;

/** What is asked between the work; each once. */
export const questions: readonly string[] = [
  'What is a bloom filter good for?',
  'How do tide tables get made?',
  'Explain eventual consistency like I am new to it.',
  'Which is heavier on memory, a trie or a hash map?',
  'Suggest a name for a newsletter about lighthouses.',
  'What should I read about queueing theory? One book.',
  'Is oat milk any good for frothing?',
  'How would you say "scope creep" politely to a client?',
  'Give me a haiku about compilers.',
  'What does idempotent mean for a webhook?',
  'Compare Kanban with Scrum in three lines.',
  'Why do cats knead blankets?',
  'How long can cooked rice stay in the fridge?',
  'What is the point of a canary deployment?',
  'Describe the borrow checker in one paragraph.',
  'Which stretches help after a day at the desk?',
  'Do UUIDs hurt an index? Version 4 in particular.',
  'Turn this into a polite reminder: the slides are late.',
  'How does a heat pump work in winter?',
  'What is the plural of octopus, really?',
  'Should a monorepo have one lockfile?',
  'Tell me a riddle about bridges.',
  'When would you choose gRPC over plain HTTP?',
  'What makes sourdough rise?',
  'Is there a rule of thumb for thread pool sizes?',
  'How do I get candle wax out of a tablecloth?',
  'What is the difference between latency and jitter?',
  'Propose an agenda for a retrospective.',
  'How do you pronounce Worcestershire?',
  'What are virtual threads?',
  'Which houseplants survive a dark hallway?',
  'Sum up the CAP theorem in a tweet.',
  'Could you explain the offside rule? I always forget.',
  'How do passkeys differ from passwords?',
  'What would a good on-call handbook contain?',
  'Why is the sky darker at high altitude?',
  'Is a materialized view worth it for a dashboard?',
  'Which cheese goes with pears?',
  'What is backpressure? Short, please.',
  'How do I decline a meeting without sounding rude?',
  'Explain the birthday paradox.',
  'Does gzip help with tiny payloads?',
  'What was the Antikythera mechanism?',
  'Recommend a podcast on typography.',
  'How are leap seconds handled by servers?',
  'What is a sensible password length these days?',
  'Give me two synonyms for "robust" that are not "solid".',
  'How does OAuth differ from OpenID Connect?',
  'Which knots should a beginner learn?',
  'Is there a way to speed up cold starts?',
  'What does a site reliability engineer do all day?',
  'How do noise-cancelling headphones work?',
  'Is snake_case bad in JSON?',
  'What should be in a changelog entry?',
  'Wie funktioniert eigentlich ein Differentialgetriebe?',
  'Was ist der Unterschied zwischen Miete und Pacht?',
  'Nenn mir drei Titel für einen Vortrag über Fehlerkultur.',
  'Wie lange hält sich angebrochener Pesto?',
  'Wozu braucht man einen Reverse-Proxy?',
  'Was heißt "technische Schulden" für Laien?',
  'Welche Übungen helfen gegen Nackenschmerzen?',
  'Wie entsteht Polarlicht?',
  'ミューテックスとセマフォの違いは何ですか。',
  '味噌汁の出汁は何がいいですか。',
  '敬語で断るメールの例をください。',
  'インデックスが効かない理由にはどんなものがありますか。',
  '台風はどうやってできますか。',
  '読みやすい関数名のこつを教えてください。',
  '週末に作れる簡単な料理はありますか。',
  '什么是死锁?举个例子。',
  '豆腐怎么做才不会碎?',
  '单元测试和集成测试有什么区别?',
  '推荐一本讲算法的书。',
  '为什么月亮有时候是红色的?',
  '怎样写一封得体的辞职信?',
  '消息队列适合什么场景?',
];

const nods = [
  ...['ok', 'go on', 'thanks', 'Yes please.', 'looks good', 'Great, thanks!', 'continue', 'yes', 'hm, ok', 'perfect'],
  ...['danke', 'weiter', 'Ja, passt.', 'はい', 'ありがとうございます', '好的', '继续', '谢谢'],
] as const;

/** A request about a name or a file of the code that nothing else was about. */
export function workRequest(world: World): Asked {
  const template = pick(world.dice, work);
  const taken = new Set([...world.names, ...world.paths]);
  for (;;) {
    const words = template.includes('{p}') ? newPath(world) : newName(world);
    if (!taken.has(words)) return { message: template.replace(/\{[ap]\}/, words), words };
  }
}

export const questionRequest = (message: string): Asked => ({ message, words: message.slice(0, 24) });

export const nod = (world: World): string => pick(world.dice, nods);
