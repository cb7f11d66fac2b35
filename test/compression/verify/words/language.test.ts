import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from '../../../../packages/core/src/compression/verify/words/language.ts';

test('the language of a line is told by its letters and commonest words', () => {
  const lines: Readonly<Record<ReturnType<typeof languageOf>, readonly string[]>> = {
    en: ['All tests pass', 'Fixed the importer', 'The label 「続き」 of the button was renamed in the table', 'ok'],
    zh: ['全部测试通过', '修复 src/importer/parse.ts 的错误', '用户要求使用 TypeScript', '迁移完成'],
    ja: ['テストはすべて通った', 'src/importer/parse.ts を修正した', '移行の完了を確認', 'ユーザーの依頼'],
    ko: ['테스트가 모두 통과했다', 'src/importer/parse.ts 수정됨', '사용자 요청', '이전 완료'],
    other: [
      'Der Fehler ist nicht behoben',
      'Le fichier est dans la liste',
      'El error no está en la lista',
      'Тесты прошли',
      '12 / 14',
      '',
    ],
  };
  for (const [language, texts] of Object.entries(lines))
    for (const text of texts) assert.equal(languageOf(text), language, text);
});
