/**
 * Words that mean the same in four languages, under one name each: so that a Chinese summary of an English session can
 * be compared with it. Only words of engineering that stand beside numbers and results; names need no translation.
 */

/** A concept, its English stems, and its words in languages that are written without spaces. */
type Row = readonly [concept: string, english: string, wide: string];

const rows: readonly Row[] = [
  ['~pass', 'pass succeed success successful succes green ok', '通过 成功 合格 通った 通る パス 통과 성공'],
  ['~fail', 'fail failur failure failed broken red', '失败 未通过 失敗 落ちた 落ちる 실패'],
  ['~test', 'test spec suit suite testcas', '测试 用例 テスト 테스트'],
  ['~file', 'file', '文件 ファイル 파일'],
  ['~line', 'line lin', '行 行目 줄 행'],
  ['~error', 'error err exception', '错误 报错 异常 エラー 例外 오류 에러 예외'],
  ['~warning', 'warn warning', '警告 경고'],
  ['~second', 'second sec s', '秒 초'],
  ['~minute', 'minut min', '分钟 分間 분'],
  ['~hour', 'hour hr', '小时 時間 시간'],
  ['~ms', 'ms millisecond', '毫秒 ミリ秒 밀리초'],
  ['~byte', 'byte', '字节 バイト 바이트'],
  ['~commit', 'commit', '提交 コミット 커밋'],
  ['~version', 'version vers release', '版本 バージョン 버전'],
  ['~exit', 'exit', '退出 終了 종료'],
  ['~code', 'code', '代码 退出码 コード 코드'],
  ['~port', 'port', '端口 ポート 포트'],
  ['~task', 'task', '任务 タスク 작업 태스크'],
  ['~step', 'step', '步骤 ステップ 단계'],
  ['~issue', 'issu issue ticket bug', '问题 議題 イシュー 이슈 問題 문제'],
  ['~request', 'request', '请求 要求 リクエスト 依頼 요청'],
  ['~message', 'messag message', '消息 メッセージ 메시지'],
  ['~token', 'token', '令牌 トークン 토큰'],
  ['~percent', 'percent percentag', '百分 パーセント 퍼센트'],
  ['~branch', 'branch', '分支 ブランチ 브랜치'],
  ['~function', 'function func method', '函数 方法 関数 メソッド 함수 메서드'],
  ['~user', 'user', '用户 ユーザー ユーザ 사용자 유저'],
  ['~delete', 'delet remov drop', '删除 移除 削除 삭제 제거'],
  ['~create', 'creat add new', '创建 新建 添加 新增 作成 追加 생성 추가'],
  ['~change', 'chang modif modifi update updat edit', '修改 更新 变更 変更 編集 수정 변경 업데이트'],
  ['~fix', 'fix repair resolv', '修复 解决 修正 解決 고침 해결'],
  ['~read', 'read', '读取 読み込 読んだ 읽음 읽기'],
  ['~run', 'run ran execut', '运行 执行 実行 실행'],
  ['~build', 'build built compil', '构建 编译 ビルド コンパイル 빌드 컴파일'],
  ['~push', 'push', '推送 プッシュ 푸시'],
  ['~merge', 'merg', '合并 マージ 병합'],
  ['~deploy', 'deploy', '部署 デプロイ 배포'],
  ['~install', 'install', '安装 インストール 설치'],
  ['~decision', 'decid decision chose choos', '决定 选择 決定 選択 결정 선택'],
  ['~result', 'result output', '结果 输出 結果 出力 결과 출력'],
  ['~record', 'record row entry entri', '记录 条 件 レコード 행 건'],
  ['~feature', 'featur function functionality', '功能 機能 기능'],
  ['~page', 'pag page screen', '页面 画面 ページ 페이지 화면'],
  ['~button', 'button', '按钮 ボタン 버튼'],
  ['~setting', 'set setting config configur option', '设置 配置 设定 設定 설정 옵션'],
  ['~database', 'databas db', '数据库 データベース 데이터베이스'],
  ['~server', 'server backend', '服务器 服务端 サーバー 서버'],
  ['~log', 'log', '日志 ログ 로그'],
  ['~document', 'doc document readm', '文档 説明 ドキュメント 문서'],
  ['~review', 'review', '审查 评审 レビュー 리뷰 검토'],
  ['~comment', 'comment', '评论 注释 コメント 주석 댓글'],
  ['~check', 'check verif verify confirm', '检查 确认 验证 確認 検証 확인 검증'],
  ['~data', 'data', '数据 データ 데이터'],
  ['~name', 'name renam', '名称 名字 名前 이름'],
  ['~type', 'typ type', '类型 型 タイプ 타입'],
  ['~format', 'format', '格式 形式 フォーマット 형식'],
  ['~image', 'imag image picture screenshot', '图片 图像 画像 이미지'],
  ['~link', 'link url', '链接 リンク 링크'],
  ['~password', 'password', '密码 パスワード 비밀번호'],
  ['~login', 'login signin auth', '登录 ログイン 로그인'],
  ['~key', 'key', '密钥 キー 키'],
  ['~plan', 'plan', '计划 計画 계획'],
  ['~design', 'design', '设计 設計 デザイン 설계 디자인'],
  ['~implement', 'implement', '实现 実装 구현'],
  ['~write', 'writ write wrote', '编写 写入 書く 書いた 작성'],
  ['~search', 'search grep find', '搜索 查找 検索 검색'],
  ['~work', 'work', '工作 作業 작업'],
  ['~question', 'question', '提问 質問 질문'],
  ['~show', 'show display', '显示 表示 표시'],
  ['~booking', 'flight booking reservation', '航班 预订 予約 예약'],
  ['~mail', 'email mail', '邮件 メール 이메일 메일'],
  ['~translate', 'translat', '翻译 翻訳 번역'],
  ['~explain', 'explain', '解释 说明 説明 설명'],
  ['~refactor', 'refactor', '重构 リファクタ 리팩터링 리팩토링'],
  ['~timeout', 'timeout', '超时 タイムアウト 시간초과 타임아웃'],
];

const english = new Map(rows.flatMap(([concept, words]) => words.split(' ').map((word) => [word, concept] as const)));
const wide = new Map(rows.flatMap(([concept, , words]) => words.split(' ').map((word) => [word, concept] as const)));
const longest = Math.max(...[...wide.keys()].map((word) => word.length));

/** The concept of an English stem, or the stem itself. */
export const conceptOf = (stem: string): string => english.get(stem) ?? stem;

export interface WideConcept {
  readonly concept: string;
  readonly start: number;
  readonly end: number;
}

/** The concepts in a run of Han, kana or hangul, the longest word first at each place. */
export function wideConcepts(run: string): readonly WideConcept[] {
  const found: WideConcept[] = [];
  for (let start = 0; start < run.length; start++) {
    for (let length = Math.min(longest, run.length - start); length > 0; length--) {
      const concept = wide.get(run.slice(start, start + length));
      if (concept === undefined) continue;
      found.push({ concept, start, end: start + length });
      start += length - 1;
      break;
    }
  }
  return found;
}
