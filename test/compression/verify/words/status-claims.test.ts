import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { statusClaims } from '../../../../packages/core/src/compression/verify/words/statuses.ts';

/** What the line claims of the past, as `status "words"`; a plan or a wish in brackets. */
const read = (line: string): readonly string[] =>
  statusClaims(line).map(({ status, hedged }) => (hedged ? `(${status})` : status));

/** Lines and what they claim, in order. */
function claims(table: readonly (readonly [string, string])[]): void {
  const wrong = table.flatMap(([line, expected]) => {
    const found = read(line).join(' ');
    return found === expected ? [] : [{ line, expected, found }];
  });
  assert.deepEqual(wrong, []);
}

describe('results of checks', () => {
  test('S9: what passed and what failed is read in English', () =>
    claims([
      ['All 214 tests pass.', 'passed'],
      ['`pnpm test` failed with exit code 2', 'failed'],
      ['The suite passes again', 'passed'],
      ['Typecheck is green, lint fails', 'passed failed'],
      ['CI went red after the rebase', 'failed'],
      ['Two integration tests still fail on Windows', 'failed'],
      ['Result: 31 passed, 0 failed', 'passed passed'],
      ['Result: 0 passed, 31 failed', 'failed failed'],
      ['There are no failures left', 'passed'],
      ['The run finished without errors', 'done passed'],
      ['The migration did not fail', 'passed'],
      ['The linter does not pass yet', 'failed'],
      ["The end-to-end checks didn't succeed", 'failed'],
      ['None of the benchmarks failed', 'passed'],
      ['Not all checks passed', 'failed'],
      ['The build is broken', 'failed'],
      ['The exporter no longer crashes', 'passed'],
      ['The exporter works now', 'passed'],
      ['The exporter does not work', 'failed'],
      ['Status: failed', 'failed'],
      ['The deployment timed out', 'failed'],
      ['3 failing tests, 12 passing', 'failed passed'],
      ['`make lint` → success', 'passed'],
      ['`make lint` ended in failure', 'failed'],
    ]));

  test('S9: what passed and what failed is read in Chinese, Japanese and Korean', () =>
    claims([
      ['全部用例通过。', 'passed'],
      ['单元测试未通过', 'failed'],
      ['编译失败，退出码 2', 'failed'],
      ['类型检查没有报错', 'passed'],
      ['目前流水线仍然失败。', 'failed'],
      ['没有通过 `make lint`', 'failed'],
      ['打包成功。', 'passed'],
      ['结合测试が通らない。', 'failed'],
      ['結合テストはすべて通っている。', 'passed'],
      ['型検査に失敗しました。', 'failed'],
      ['ビルドは成功した（`make`）', 'passed'],
      ['警告はありませんでした。', 'passed'],
      ['実行は例外で終了した。', 'failed'],
      ['통합 테스트가 모두 통과했다.', 'passed'],
      ['통합 테스트를 통과하지 못했다.', 'failed'],
      ['타입 검사에 실패했습니다.', 'failed'],
      ['배포 스크립트는 정상 동작한다.', 'passed'],
      ['경고 없음', 'passed'],
    ]));

  test('S9: the commonest results are read in German, French and Spanish', () =>
    claims([
      ['Alle Prüfungen bestanden', 'passed'],
      ['Die Übersetzung ist fehlgeschlagen', 'failed'],
      ['Der Fehler ist noch nicht behoben', 'unfixed'],
      ['Die Tabelle wurde gelöscht', 'deleted'],
      ['Das muss noch behoben werden', '(fixed)'],
      ['Le défaut a été corrigé', 'fixed'],
      ["Le fichier n'a pas été supprimé", 'kept'],
      ['Las pruebas fallaron', 'failed'],
      ['El archivo fue eliminado', 'deleted'],
    ]));
});

describe('what was done', () => {
  test('S9: deeds and their denials are read in English', () =>
    claims([
      ['Fixed the race in the scheduler', 'fixed'],
      ['The race in the scheduler is not fixed', 'unfixed'],
      ["The race hasn't been fixed yet", 'unfixed'],
      ['Tests have NOT been run', 'undone'],
      ['I did not push the branch', 'unpushed'],
      ['The branch was pushed to origin', 'pushed'],
      ['`old.css` was deleted', 'deleted'],
      ['`old.css` was not deleted', 'kept'],
      ['Nothing was deleted', 'kept'],
      ['Failed to delete `old.css`', 'failed'],
      ['We were unable to publish the package', 'failed'],
      ['Created `queue.ts` and removed `list.ts`', 'created deleted'],
      ['Removed the flag from `cli.ts`', 'changed'],
      ['`cli.ts` was left untouched', 'unchanged'],
      ['Migration complete', 'done'],
      ['The migration is incomplete', 'undone'],
      ['Never merged', 'unmerged'],
      ['PR #12, merged', 'merged'],
      ['Committed as `1a2b3c4`', 'committed'],
      ['There are uncommitted changes', 'uncommitted'],
      ['The preview server is running on port 5173', 'running'],
      ['The preview server is not running', 'stopped'],
      ['The package was built but not released', 'created unreleased'],
      ['Neither was fixed', 'unfixed'],
      ['The schema is gone', 'deleted'],
      ['The lock file still exists', 'kept'],
      ['Skipped the lint step', 'undone'],
    ]));

  test('S9: deeds and their denials are read in Chinese, Japanese and Korean', () =>
    claims([
      ['已修复排序的错误', 'fixed'],
      ['排序的错误尚未修复', 'unfixed'],
      ['没有删除 `old.css`', 'kept'],
      ['已将 `old.css` 删除', 'deleted'],
      ['分支已推送到远程', 'pushed'],
      ['分支还没有推送', 'unpushed'],
      ['新建了 `queue.ts`', 'created'],
      ['迁移未完成', 'undone'],
      ['推送失败', 'failed'],
      ['预览服务器正在运行', 'running'],
      ['並び順の不具合は修正済み', 'fixed'],
      ['並び順の不具合は未修正', 'unfixed'],
      ['`old.css` は削除していない。', 'kept'],
      ['`old.css` を削除しました。', 'deleted'],
      ['ブランチはまだプッシュしていない', 'unpushed'],
      ['移行は完了していません。', 'undone'],
      ['バグが直った', 'fixed'],
      ['リリースに失敗した', 'failed'],
      ['정렬 오류를 수정했다.', 'fixed'],
      ['정렬 오류는 아직 고쳐지지 않았다.', 'unfixed'],
      ['`old.css`를 삭제하지 않았습니다.', 'kept'],
      ['브랜치를 푸시했다', 'pushed'],
      ['이전 작업 미완료', 'undone'],
      ['미리보기 서버가 실행 중이다.', 'running'],
    ]));
});

describe('what is no claim', () => {
  test('names that contain a status word claim nothing', () =>
    claims(
      [
        'Error handling lives in `errors.ts`',
        'The failure mode is documented',
        'Passing the argument by reference is slower',
        'Pass the `--all` flag to the script',
        'The value is passed to the renderer as a prop',
        'It passes the token on to the worker',
        'A fixed-size buffer holds the rows',
        'The list has a fixed width',
        'The done callback takes one argument',
        'A success message is shown in the footer',
        'A failed-login test covers this',
        'The failed test is in `auth.spec.ts`',
        'Bug fixes go to the patch branch',
        'Failed tests:',
        'Modified files:',
        'The code takes two passes over the list',
        'A broken link leads to the old page',
        'How the cache works',
        'The path is resolved against the root',
        'The array is built with `reduce`',
        'The parser uses a merged table',
        'the deleted flag of a row',
        '`isDone()` and `passed=1` are read by the reporter',
        'src/failed/index.ts',
        '"all tests pass" is what the banner says',
        '`3 failed`',
        'Users love the green button',
        'working directory: `app`',
        '失败测试的列表在附录里',
        '通过配置文件传入参数',
        '测试通过接口访问数据库',
        '错误处理的模块',
        '成功消息的颜色',
        '失敗時の処理を参照',
        '成功メッセージの色',
        '失敗したテストの一覧',
        '引数を通して渡す設計',
        '실패한 테스트의 목록',
        '성공 메시지의 색',
        '삭제된 항목의 표시 방식',
        '오류 처리 모듈',
      ].map((line) => [line, '']),
    ));

  test('plans, wishes, conditions and questions are hedged', () => {
    const hedged = [
      'All tests should pass after that',
      'Make sure that the build passes',
      'Need to verify that lint passes',
      'If the tests fail, go back to the old parser',
      'The branch will be pushed tomorrow',
      'The crash must be fixed before the release',
      'Once merged, tell the others',
      'It crashes when the list is empty',
      'Did the checks pass?',
      'The fix is in progress',
      'The bug is being fixed',
      'The parser can be deleted later',
      '如果测试失败，则回退',
      '需要确保测试全部通过',
      '正在修复排序的错误',
      'テストに失敗した場合は戻す',
      '不具合を修正する必要がある',
      '작업을 완료해야 한다',
      '테스트를 통과하면 배포할 예정',
    ];
    assert.deepEqual(
      hedged.filter((line) => statusClaims(line).some((claim) => !claim.hedged)),
      [],
    );
  });

  test('an order claims nothing that was done', () =>
    claims([
      ['Do not push to main', ''],
      ['Fix the parser', ''],
      ['Delete `old.css` and commit', ''],
      ['要删除 `old.css`', ''],
      ['`old.css` を削除する', ''],
      ['테스트를 실행하세요', '(done)'],
    ]));
});

describe('the shape of a claim', () => {
  test('names the words with their negation, the polarity and the time', () => {
    const [claim] = statusClaims('It has not been deleted.');
    assert.deepEqual(claim, {
      status: 'kept',
      positive: false,
      start: 7,
      end: 23,
      hedged: false,
      current: false,
    });
    assert.equal(statusClaims('The build currently fails')[0]?.current, true);
    assert.equal(statusClaims('The build failed')[0]?.current, false);
  });

  test('claims never overlap and stand in order, in any line', () => {
    const word = fc.constantFrom(
      ...'the tests not all passed failed fixed was been and , . to delete 已 未 修复 通过 削除 した していない 수정 했다 되지 않음 0 3 `a` " should'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (parts) => {
        const line = parts.join(' ');
        let from = 0;
        for (const { start, end } of statusClaims(line)) {
          assert.ok(start >= from && end > start && end <= line.length);
          from = end;
        }
      }),
    );
  });
});

describe('the opposite', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['The build passes', 'The build fails'],
    ['The build failed', 'The build passed'],
    ['All tests pass', 'Not all tests pass'],
    ['The suite passes all checks', 'The suite does not pass all checks'],
    ['The bug was fixed', 'The bug was not fixed'],
    ["The bug wasn't fixed", 'The bug was fixed'],
    ['The bug has not yet been fixed', 'The bug has been fixed'],
    ['I did not push it', 'I pushed it'],
    ['Failed to delete `a.ts`', 'Deleted `a.ts`'],
    ['Deleted `a.ts`', 'Did not delete `a.ts`'],
    ['Tests have NOT been run', 'Tests have been run'],
    ['The work is complete', 'The work is incomplete'],
    ['测试未通过', '测试通过'],
    ['已修复排序', '尚未修复排序'],
    ['尚未推送', '已推送'],
    ['構築に失敗した', '構築に成功した'],
    ['移行は未完了', '移行は完了済み'],
    ['`a.ts` を削除した', '`a.ts` を削除していない'],
    ['파일을 삭제했다', '파일을 삭제하지 않았다'],
    ['아직 푸시하지 않았다', '푸시했다'],
    ['빌드 실패', '빌드 성공'],
    ['Der Fehler ist nicht behoben', 'Der Fehler ist behoben'],
    ...['The build', 'Its test', '`npm run lint`'].flatMap((subject) =>
      [
        ['passed', 'failed'],
        ['was fixed', 'was not fixed'],
        ['was deleted', 'was not deleted'],
        ['has been pushed', 'has not been pushed'],
        ['was merged', 'was not merged'],
      ].map(([one, other]) => [`${subject} ${one}`, `${subject} ${other}`] as const),
    ),
  ];

  test('S9: a result and its opposite claim the two sides of one thing, in each language', () => {
    const wrong = pairs.filter(([line, other]) => {
      const [one, two] = [statusClaims(line), statusClaims(other)].map(([claim]) => claim);
      return !one || !two || one.hedged || two.hedged || one.positive === two.positive;
    });
    assert.deepEqual(wrong, []);
  });

  test('counts, absences and reasons are claims, a plan is none', () =>
    claims([
      ['12 tests failed', 'failed'],
      ['no failures', 'passed'],
      ['The tests should pass', '(passed)'],
      ['The build failed with exit code 1', 'failed'],
      ['全部 3 项失败', 'failed'],
      ['모두 통과했다', 'passed'],
    ]));
});
