/** A reply that says "saved" when nothing was. A small set in eight languages, by the author of the rules. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { claimsOfSaving, reportUnsaved } from '../../../packages/core/src/memory/entries/claims.ts';

const claims: Readonly<Record<string, readonly string[]>> = {
  English: [
    "I've saved that to memory.",
    'Noted! From now on it is tabs.',
    "Got it, I've noted your preference.",
    'Your birthday has been saved.',
    'I have added this to MEMORY.md.',
    "I'll remember that for next time.",
  ],
  German: [
    'Ich habe das gespeichert.',
    'Notiert!',
    'Das habe ich mir gemerkt.',
    'Ich merke mir das.',
    'Alles klar, ist notiert.',
  ],
  French: ["C'est noté !", "J'ai enregistré votre préférence.", "Je m'en souviendrai.", 'Je l’ai bien mémorisé.'],
  Spanish: ['Lo he guardado.', 'Anotado, gracias.', 'He anotado tu preferencia.', 'Lo recordaré.'],
  Russian: ['Я это запомнил.', 'Сохранено.', 'Записал в память.', 'Я не забуду.'],
  Chinese: ['我已经记住了。', '好的，我已保存您的偏好。', '我会记住的。', '记下了！'],
  Japanese: ['メモリに保存しました。', '覚えておきます。', '了解です、記録しておきました。'],
  Korean: ['기억해 두었습니다.', '메모리에 저장했습니다.', '기억하겠습니다.'],
};

const harmless: Readonly<Record<string, readonly string[]>> = {
  English: [
    'I have not saved anything.',
    'Shall I save that to memory?',
    'I saved the file to `src/index.ts`.',
    'I saved the changes and ran the tests.',
    'The author noted that it is slow.',
    'It waits for your confirmation as e13; nothing is saved yet.',
    "I couldn't save that.",
    'If you like, I can remember that.',
    'You said "I have saved it".',
    '> I have saved it',
    'I updated the parser.',
    'Results saved in /tmp/out.json.',
  ],
  German: [
    'Ich habe nichts gespeichert.',
    'Ich habe die Datei gespeichert.',
    'Soll ich das speichern?',
    'Das konnte nicht gespeichert werden.',
  ],
  French: ["Je n'ai pas enregistré cela.", "J'ai enregistré le fichier.", 'Voulez-vous que je le note ?'],
  Spanish: ['No lo he guardado.', 'He guardado el archivo.', '¿Lo guardo?'],
  Russian: ['Я это не сохранил.', 'Я сохранил файл.', 'Сохранить это?'],
  Chinese: ['我没有保存。', '我已保存文件。', '要我记住吗？'],
  Japanese: ['保存していません。', 'ファイルを保存しました。', '保存しましょうか？'],
  Korean: ['저장하지 않았습니다.', '파일을 저장했습니다.', '저장할까요?'],
};

for (const language of Object.keys(claims)) {
  describe(`in ${language}`, () => {
    for (const text of claims[language] ?? [])
      test(`claims: ${text}`, () => assert.equal(claimsOfSaving(text).length, 1));
    for (const text of harmless[language] ?? [])
      test(`claims nothing: ${text}`, () => assert.deepEqual(claimsOfSaving(text), []));
  });
}

test('a claim says where it stands, and whether it is a promise', () => {
  const text = 'Fine. I have saved that.\nI will remember it!';
  const found = claimsOfSaving(text);
  assert.deepEqual(
    found.map(({ type, sentence }) => [type, sentence]),
    [
      ['done', 'I have saved that.'],
      ['promised', 'I will remember it!'],
    ],
  );
  for (const { start, end, sentence } of found) assert.equal(text.slice(start, end).trim(), sentence);
});

test('a turn is reported unless a write to the memory succeeded in it', () => {
  const text = 'Noted, I have saved that.';
  const unsaved = (calls: Parameters<typeof reportUnsaved>[0]['calls']): number =>
    reportUnsaved({ text, calls }).length;
  assert.equal(unsaved([]), 1);
  assert.equal(unsaved([{ name: 'remember', result: '{"success":true,"saved":true,"id":"e12"}' }]), 0);
  assert.equal(unsaved([{ name: 'memory', result: { success: true } }]), 0);
  assert.equal(unsaved([{ name: 'remember', result: '{"success":true,"saved":false,"id":"e12"}' }]), 1);
  assert.equal(unsaved([{ name: 'memory', result: '{"success":false}' }]), 1);
  assert.equal(unsaved([{ name: 'write_file', result: '{"success":true}' }]), 1);
  assert.equal(unsaved([{ name: 'memory' }]), 1);
  assert.equal(reportUnsaved({ text, calls: [{ name: 'note', result: { success: true } }] }, ['note']).length, 0);
  assert.equal(reportUnsaved({ text: 'Done.', calls: [] }).length, 0);
});

test('a long reply is read in time that grows with it', () => {
  const text = 'I have just now already also '.repeat(4_000);
  assert.deepEqual(claimsOfSaving(text), []);
});
