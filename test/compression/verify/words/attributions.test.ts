import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { attributionIn, userSection } from '../../../../packages/core/src/compression/verify/words/attributions.ts';

describe('attributionIn', () => {
  test('S9: words that put something into the mouth of the user are found in English', () => {
    const table: readonly (readonly [string, string, string])[] = [
      ['The user asked to split the importer', 'asked', 'to split the importer'],
      ['User requested a smaller bundle', 'asked', 'a smaller bundle'],
      ['the user then explicitly asked for weekly reports', 'asked', 'for weekly reports'],
      ['You asked me to keep the old route', 'asked', 'me to keep the old route'],
      ["Per the user's request, the old route stays", 'asked', 'the old route stays'],
      ["The old route stays at the user's request", 'asked', 'The old route stays'],
      ['As requested by the user, the old route stays', 'asked', 'the old route stays'],
      ['A dry run was asked for by the user', 'asked', 'A dry run was'],
      ['User request (m4): drop the old route', 'asked', 'drop the old route'],
      ['- **User request**: drop the old route', 'asked', 'drop the old route'],
      ['Request of the user in m7: drop the old route', 'asked', 'drop the old route'],
      ['The user wants the report in two languages', 'wants', 'the report in two languages'],
      ["The user's goal is to ship before the fair", 'wants', 'to ship before the fair'],
      ['The user would like shorter names', 'wants', 'shorter names'],
      ['The user said "not before Monday"', 'said', '"not before Monday"'],
      ['User feedback: the table is too wide', 'said', 'the table is too wide'],
      ['The user pointed out that the totals are off', 'said', 'that the totals are off'],
      ["In the user's own words: “make it quick”", 'said', '“make it quick”'],
      ['I stopped because the user corrected the plan', 'said', 'the plan'],
      ['m12 user: go on with the second table', 'said', 'go on with the second table'],
      ['The user prefers tabs', 'prefers', 'tabs'],
      ['User preference, verbatim: "no emojis"', 'prefers', '"no emojis"'],
      ['The user approved the migration', 'approved', 'the migration'],
      ['The migration was approved by the user', 'approved', 'The migration was'],
      ['The user rejected the second draft', 'rejected', 'the second draft'],
      ['Export format (user chose: CSV) is settled', 'chose', 'CSV'],
      ['The user decided to drop the mobile view', 'chose', 'to drop the mobile view'],
      ['The user suggested a queue', 'proposed', 'a queue'],
      ['The user pasted a stack trace', 'provided', 'a stack trace'],
      ['The user is against a second table', 'said', 'a second table'],
      ['It was the user who wanted two tables', 'said', 'wanted two tables'],
      ['Two tables, at the insistence of the user', 'asked', 'Two tables'],
      ['A request from the user to shorten names', 'asked', 'to shorten names'],
      ["Published with the user's consent", 'approved', 'Published'],
    ];
    for (const [line, verb, rest] of table) {
      const found = attributionIn(line);
      assert.deepEqual([found?.verb, found?.rest], [verb, rest], line);
    }
  });

  test('S9: and in Chinese, Japanese, Korean, German, French and Spanish', () => {
    const table: readonly (readonly [string, string, string])[] = [
      ['用户要求拆分导入器', 'asked', '拆分导入器'],
      ['用户随后又让我缩短名称', 'asked', '缩短名称'],
      ['按照用户的要求，保留旧的路由', 'asked', '保留旧的路由'],
      ['**用户请求**：缩短名称', 'asked', '缩短名称'],
      ['用户希望报告使用两种语言', 'wants', '报告使用两种语言'],
      ['用户的目标是在展会前发布', 'wants', '在展会前发布'],
      ['用户反馈：表格太宽', 'said', '表格太宽'],
      ['用户指出总数不对', 'said', '总数不对'],
      ['用户偏好制表符', 'prefers', '制表符'],
      ['用户批准了迁移', 'approved', '了迁移'],
      ['用户拒绝第二稿', 'rejected', '第二稿'],
      ['在用户的要求下拆分', 'asked', '拆分'],
      ['ユーザーは取り込み処理の分割を依頼した。', 'asked', '取り込み処理の分割を'],
      ['ユーザーの依頼：名前を短くする', 'asked', '名前を短くする'],
      ['ユーザーの指示により古い経路を残した', 'asked', '古い経路を残した'],
      ['ユーザーは二か国語の報告書を希望している', 'wants', '二か国語の報告書を'],
      ['ユーザーは「急いで」と言った', 'said', '「急いで」と'],
      ['ユーザーはタブを好む。', 'prefers', 'タブを'],
      ['ユーザーは移行を承認しました。', 'approved', '移行を'],
      ['사용자가 가져오기 모듈의 분리를 요청했다.', 'asked', '가져오기 모듈의 분리를'],
      ['사용자 요청: 이름을 짧게', 'asked', '이름을 짧게'],
      ['사용자의 지시에 따라 예전 경로를 남겼다', 'asked', '예전 경로를 남겼다'],
      ['사용자는 보고서를 두 언어로 원한다', 'wants', '보고서를 두 언어로'],
      ['사용자는 탭을 선호한다', 'prefers', '탭을'],
      ['사용자가 두 번째 초안을 거절했다', 'rejected', '두 번째 초안을'],
      ['Der Nutzer möchte kürzere Namen', 'wants', 'kürzere Namen'],
      ["L'utilisateur a demandé des noms plus courts", 'asked', 'des noms plus courts'],
      ['El usuario pidió nombres más cortos', 'asked', 'nombres más cortos'],
    ];
    for (const [line, verb, rest] of table) {
      const found = attributionIn(line);
      assert.deepEqual([found?.verb, found?.rest], [verb, rest], line);
    }
  });

  test('the user of a program under work is not the user of the agent', () => {
    const lines = [
      'The user table has a new index',
      'User input is validated on the server',
      'The user object carries a locale',
      'The form asks the user for a name',
      'User-facing messages are translated',
      'When the user clicks the button, a dialog opens',
      'If the user wants more rows, the page loads them',
      'When the user asks for help, the bot answers',
      'Users want faster pages',
      'Every user requested pages at random in the simulation',
      'User provided values are escaped',
      "The user's preference is stored in the database",
      "The user's request is validated by the gateway",
      'Prompt the user selected earlier is shown again',
      'A user said hello in the fixture',
      'Wait until the user approves',
      'Created `user-service.ts`',
      'The user logs in with a code',
      'Added a `users` fixture',
      'user: postgres',
      'The user role is read from the token',
      '| user | asked |',
      '`the user asked` is a phrase of the parser',
      'The header said "the user asked for it"',
      '用户表新增了索引',
      '用户输入会被校验',
      '处理用户请求的模块',
      '用户请求量很大',
      '如果用户要求退款，则返回表单',
      '用户选择文件后上传',
      '提示用户确认密码',
      '用户登录后跳转',
      'ユーザーテーブルに索引を追加した',
      'ユーザーがボタンを押すと画面が開く',
      'ユーザーが選択した行を表示する',
      'ユーザー入力を検証する',
      'ユーザーIDは整数',
      '사용자 테이블에 색인을 추가했다',
      '사용자가 버튼을 누르면 창이 열린다',
      '사용자 입력은 서버에서 검증된다',
      '사용자 역할은 토큰에서 읽는다',
      'Die Nutzertabelle hat einen neuen Index',
    ];
    assert.deepEqual(
      lines.filter((line) => attributionIn(line) !== undefined),
      [],
    );
  });

  test('a denied attribution says so', () => {
    for (const line of ['The user never approved the plan', "The user didn't ask for a rewrite", '用户没有批准迁移'])
      assert.equal(attributionIn(line)?.negated, true, line);
    assert.equal(attributionIn('The user asked not to touch `a.ts`')?.negated, false);
  });

  test('names a place inside the line, whatever the line', () => {
    const word = fc.constantFrom(
      ...'the user asked said by for " ( ) : 用户 要求 ： ユーザー は 依頼 した 사용자 가 요청 했다 if'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), (parts) => {
        const line = parts.join(' ');
        const found = attributionIn(line);
        assert.ok(found === undefined || (found.start >= 0 && found.end > found.start && found.end <= line.length));
      }),
    );
  });
});

describe('userSection', () => {
  test('S9: sections that speak for the user are told by their heading', () => {
    const table: readonly (readonly [string, string | undefined])[] = [
      ['All User Messages', 'messages'],
      ['User feedback', 'messages'],
      ['Messages from the user', 'messages'],
      ['用户消息', 'messages'],
      ['所有用户原话', 'messages'],
      ['ユーザーのメッセージ', 'messages'],
      ['사용자 메시지', 'messages'],
      ['Primary Request and Intent', 'request'],
      ['User Requests', 'request'],
      ['Active Task', 'request'],
      ['Pending User Asks', 'request'],
      ['Goal', 'request'],
      ['用户请求', 'request'],
      ['当前任务', 'request'],
      ['ユーザーの依頼', 'request'],
      ['未対応の依頼', 'request'],
      ['사용자 요청', 'request'],
      ['현재 작업', 'request'],
      ['Constraints & Preferences', 'constraint'],
      ['User rules', 'constraint'],
      ['约束与偏好', 'constraint'],
      ['制約と好み', 'constraint'],
      ['제약과 선호', 'constraint'],
      ['Vorgaben', 'constraint'],
      ['Files and Code Sections', undefined],
      ['Errors and Fixes', undefined],
      ['Completed Actions', undefined],
      ['Key Technical Concepts', undefined],
      ['User management module', undefined],
      ['文件与代码', undefined],
      ['技術的な決定', undefined],
      ['오류와 해결', undefined],
      ['', undefined],
    ];
    for (const [heading, kind] of table) assert.equal(userSection(heading), kind, heading);
  });
});
