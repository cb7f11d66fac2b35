/** Recall in several languages, with and without spaces: what was said is found, what was not is not made up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurnRecall } from '../../../packages/core/src/recall/turn/turn-recall.ts';
import { keep, openMemory } from '../session-search/stored.ts';

interface Sample {
  readonly language: string;
  /** Said by user and assistant in turn. */
  readonly said: readonly string[];
  readonly question: string;
  /** What must be in the text. */
  readonly holds: string;
  /** About somebody or something that nobody ever spoke of. */
  readonly strange: readonly string[];
}

const samples: readonly Sample[] = [
  {
    language: 'English',
    said: [
      'My sister Ottoline keeps bees on the roof of the bakery.',
      'How many hives does she have?',
      'Seven hives since April, and the honey goes into the rye bread.',
      'That sounds delicious.',
    ],
    question: 'How many hives does Ottoline have on the bakery roof?',
    holds: 'Seven hives since April',
    strange: ['How many goats does Bartholomew keep behind the lighthouse?', 'Thanks, that is all for today!'],
  },
  {
    language: 'German',
    said: [
      'Der Umzug der Rechnungsdaten auf den Server Falkenhorst ist für den 12. März geplant.',
      'Soll die alte Datenbank danach gelöscht werden?',
      'Nein, wir behalten die alte Datenbank noch sechs Monate lesbar.',
      'Verstanden.',
    ],
    question: 'Wann ziehen die Rechnungsdaten auf den Server Falkenhorst um?',
    holds: 'für den 12. März geplant',
    strange: ['Wer hat den Kuchen für Hannelores Geburtstag gebacken?', 'Danke, das war alles.'],
  },
  {
    language: 'Chinese',
    said: [
      '我们决定下个月把订单数据库迁移到新的服务器上海三号。',
      '迁移的时候要停机吗？',
      '要停机两个小时，安排在星期天凌晨。',
      '好的，我记下了。',
    ],
    question: '订单数据库什么时候迁移到新的服务器？',
    holds: '下个月把订单数据库迁移',
    strange: ['谁在厨房里养了三只乌龟？', '谢谢你，今天就这样吧。'],
  },
  {
    language: 'Japanese',
    said: [
      '請求書の締め切りは毎月二十五日に変更しました。',
      '経理部にも連絡しましたか？',
      'はい、経理部の田村さんには先週メールで連絡済みです。',
      'ありがとうございます。',
    ],
    question: '請求書の締め切りはいつに変更しましたか？',
    holds: '毎月二十五日に変更',
    strange: ['公園の桜は誰が植えたのですか？', 'どうもありがとうございました。'],
  },
  {
    language: 'Korean',
    said: [
      '배포 서버의 인증서는 구월 삼일에 만료됩니다.',
      '누가 인증서를 갱신하나요?',
      '민준이 팔월 말까지 인증서를 갱신하기로 했습니다.',
      '알겠습니다.',
    ],
    question: '배포 서버 인증서는 언제 만료되나요?',
    holds: '구월 삼일에 만료',
    strange: ['할머니가 심은 감나무는 몇 그루인가요?', '고맙습니다, 오늘은 여기까지요.'],
  },
  {
    language: 'Russian',
    said: [
      'Мы переносим склад запчастей в Тверь в начале октября.',
      'А кто отвечает за перевозку станков?',
      'За перевозку станков отвечает бригада Лаврентьева.',
      'Понял, спасибо.',
    ],
    question: 'Когда мы переносим склад запчастей в Тверь?',
    holds: 'в начале октября',
    strange: ['Сколько котят родилось у соседской кошки Мурки?', 'Спасибо, на сегодня всё.'],
  },
  {
    language: 'Spanish',
    said: [
      'El taller de cerámica de Leocadia empieza el jueves en el almacén azul.',
      '¿Cuántas plazas quedan?',
      'Quedan cuatro plazas para el taller de cerámica.',
      'Perfecto.',
    ],
    question: '¿Cuántas plazas quedan en el taller de cerámica de Leocadia?',
    holds: 'Quedan cuatro plazas',
    strange: ['¿Quién arregló el tejado de la iglesia de Valdemoro?', 'Gracias, eso es todo.'],
  },
  {
    language: 'French',
    said: [
      'La répétition de la chorale de Ghislaine a lieu mardi dans la salle des archives.',
      'Qui apporte les partitions ?',
      'Les partitions sont dans le coffre de Ghislaine.',
      'Parfait.',
    ],
    question: 'Où a lieu la répétition de la chorale de Ghislaine ?',
    holds: 'dans la salle des archives',
    strange: ['Combien de chevaux Barnabé a-t-il vendus à la foire ?', 'Merci, ce sera tout.'],
  },
];

for (const { language, said, question, holds, strange } of samples) {
  test(`Q2 ${language}: what was said about a question is recalled, and nothing for one about something else`, async () => {
    await using store = await openMemory();
    for (const other of samples) if (other.language !== language) await keep(store, other.said);
    await keep(store, said);
    const recall = createTurnRecall({ store });
    const ask = (text: string): Promise<string | undefined> => recall({ sessionId: 'new', text, messages: [] });
    assert.ok(
      (await ask(question))?.includes(holds),
      JSON.stringify(await recall.explain({ sessionId: 'new', text: question, messages: [] }), undefined, 1),
    );
    for (const text of strange) assert.equal(await ask(text), undefined, text);
  });
}
