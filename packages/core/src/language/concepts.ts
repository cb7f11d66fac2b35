/** Words that mean the same in four languages, under one name each: words of engineering, and acts that cannot be taken back. */

/** A concept, its English stems, and its words in languages that are written without spaces. */
type Concept = readonly [concept: string, english: string, wide: string];

/** Words of engineering that stand beside numbers and results; names need no translation. */
export const concepts: readonly Concept[] = [
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

/** What somebody is said to ask for. */
export type Act =
  | 'delete'
  | 'force'
  | 'push'
  | 'merge'
  | 'publish'
  | 'close'
  | 'skip'
  | 'replace'
  | 'revert'
  | 'reveal'
  | 'pay'
  | 'grant';

/** The words for an act. */
export interface ActWords {
  /** English words that name the act, in all their forms. */
  readonly english: string;
  readonly wide: string;
  /** What a person may say who wants it, beyond those. */
  readonly hints: string;
}

const verbs = (list: string): string =>
  `(?:${list})(?:e|s|es|ed|ing|ion|ions|al|als|ped|ping|ged|ging|ted|ting)?(?!\\p{L})`;

/** Acts that cannot be taken back, or that take a safeguard away. */
export const actWords: Readonly<Record<Act, ActWords>> = {
  delete: {
    english: `${verbs('delet|remov|drop|purg|eras|wip|discard|destroy|uninstall|prun|eliminat')}|(?:throw|threw)\\w* (?:\\w+ ){0,3}away|thrown away|get\\w* rid`,
    wide: '删除|移除|删掉|清空|清除|丢弃|废弃|抹掉|卸载|削除|消去|取り除|除去|外す|外し|廃止|捨て|삭제|제거|지우|지워|없애|없앤|폐기|비우',
    hints:
      "clear|empt|strip|kill|clean|unused|useless|rid of|tak\\w* (?:\\w+ ){0,4}out|trash|exclud|no longer|(?:don[’']?t|no|not|doesn[’']?t|never) (?:really )?(?:need|necessary|want|make sense)|replac|retir|deprecat|undo|revert|roll\\w* back|legacy|why do(?:es)? \\w+(?: \\w+){0,4} exist|去掉|清理|剔除|不需要|消し|消す|やめ|いらない|不要|없이|필요 ?없|빼",
  },
  force: {
    english: 'force(?:d|ful|fully|s)?(?![\\p{L}])',
    wide: '强制|强推|強制|강제',
    hints: 'rewrite history|overwrite|amend',
  },
  push: {
    english: verbs('push'),
    wide: '推送|プッシュ|푸시',
    hints: 'upload|publish|\\bprs?\\b|pull request|sync|remote',
  },
  merge: {
    english: verbs('merg|squash'),
    wide: '合并|合併|マージ|병합|머지|スカッシュ',
    hints: 'rebas|land(?!\\p{L})|combin|统一|一つに|합치',
  },
  publish: {
    english: verbs('publish|releas|deploy|ship'),
    wide: '发布|部署|上线|リリース|デプロイ|배포|출시|릴리스|게시',
    hints: 'launch|roll\\w* out|go(?:es|ing)? live|new version|production|公開|공개',
  },
  close: {
    english: verbs('clos|cancel|cancell|abandon|abort'),
    wide: '关闭|取消|放弃|终止|中止|閉じ|クローズ|キャンセル|打ち切|닫|취소|중단|포기',
    hints: 'giv\\w* up|stop|finish|done|drop|no longer|delet|remov|kill|やめ|終|结束|끝',
  },
  skip: {
    english: `${verbs('skip|bypass|disabl|circumvent|omit')}|turn\\w* off|switch\\w* off|without (?:\\w+ ){0,2}(?:review|test|ask|check|confirm|approv|verif|wait|look)\\w*`,
    wide: '跳过|绕过|禁用|关掉|飛ば|スキップ|無効|건너뛰|생략|비활성',
    hints:
      "ignor|without|off(?!\\p{L})|exclud|strip|remov|(?:don[’']?t|do not|not|no|never|doesn[’']?t)(?: \\w+)? (?:need|bother|run|wait|ask|worry|care|necessary|mind|matter|commit|touch)|lea(?:ve|ving) (?:\\w+ ){0,3}out|later|for now|忽略|省略|不用|不必|无需|先不|無視|なし|せず|いらない|不要|끄|없이|무시|나중",
  },
  replace: {
    english: verbs('rewrit|rewritten|replac|reimplement|migrat'),
    wide: '重写|替换|改写|书き直|書き直|置き換|差し替|다시 작성|재작성|대체|교체',
    hints:
      'rewrote|swap|switch|port|instead|convert|chang|redo|redesign|refactor|mov(?:e|ing)|rather|rename|updat|换|改|迁移|代替|切り替|移行|変|代わり|바꾸|바꿔|이전|대신|변경',
  },
  revert: {
    english: `${verbs('revert')}|roll(?:ed|ing|s)? back|undo(?:ne|ing)?(?!\\p{L})|undid`,
    wide: '回滚|撤销|还原|元に戻|取り消|되돌|원복',
    hints: 'reset|restor|back|again|remov|before|恢复|戻|取消|복원|다시',
  },
  reveal: {
    english: `${verbs('e-?mail|upload|disclos|expos')}|leak(?:ed|ing)? (?:the|his|her|their|it)|shar(?:e|ed|ing) (?:\\w+ ){1,4}with`,
    wide: '发送给|寄给|上传|泄露|送信|送って|送る|アップロード|共有|전송|업로드|공유',
    hints: 'mail|send|sent|post|shar|forward|publish|give|发|送|メール|보내|메일',
  },
  pay: {
    english: verbs('pay|paid|buy|bought|purchas|spend|spent|refund|donat'),
    wide: '支付|付款|购买|花费|退款|支払|購入|返金|결제|지불|구매|환불|구입',
    hints: 'charg|cost|money|cancel|card|certificate|book|upgrad|\\$|dollar|买|卖|買|お金|사|돈',
  },
  grant: {
    english: `${verbs('grant')}|(?:giv|gave|get|with)\\w* (?:\\w+ ){0,4}(?:access|permissions?|rights)(?!\\p{L})`,
    wide: '授权|授予|権限を与|付与|권한을? ?(?:부여|주)',
    hints: 'access|permi|allow|right|admin|root|sudo|权限|允许|許可|権限|アクセス|권한|허용|접근',
  },
};
