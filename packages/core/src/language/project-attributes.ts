/** What people note of a project and of which there is one at a time, and the words that make it something else. */
import { lazily } from '../shared/lazily.ts';
import type { Attribute } from './attributes.ts';
import { anyWord } from './word-lists.ts';

const packageTool = (): Attribute => ({
  id: 'package manager',
  of: 'project',
  value: 'known',
  words: anyWord(
    [
      'package manager|packages?|dependenc(?:y|ies)|installs?|installed|installing|lock ?file|librar(?:y|ies)|workspace',
      'paketverwaltung|paketmanager|pakete|abhängigkeiten|bibliotheken|installiert|lockfile|sperrdatei|umstellung',
      'gestionnaire de paquets|paquets|dépendances|installe\\p{L}*',
      'gestor de paquetes|paquetes|dependencias|instala\\p{L}*|dependências|pacotes',
      'пакет\\p{L}*|зависимост\\p{L}*|устан\\p{L}+',
    ],
    ['パッケージ|依存|ライブラリ|インストール|移行', '包管理|依赖|安装|软件包', '패키지|의존성|설치'],
  ),
});

const port = (): Attribute => ({
  id: 'port',
  of: 'project',
  value: 'port',
  words: anyWord(
    ['ports?|listens?|localhost|lauscht|hört|puerto|écoute|escucha|porta|порт\\p{L}*|слушает|127\\.0\\.0\\.1|api'],
    ['ポート|番(?=[がはへに])|端口|监听|포트'],
  ),
});

const staging = (): Attribute => ({
  id: 'staging',
  of: 'project',
  value: 'host',
  words: anyWord(
    [
      'staging|test (?:server|host|environment|machine)|preview|before (?:a |the )?release|try (?:things|it|out)|pre-?production',
      'testserver|testumgebung|testrechner|vorschau|ausprobieren|staging|erproben',
      'préproduction|recette|serveur de test',
      'preproducción|servidor de pruebas|pruebas|homologação',
      'тестов\\p{L}+|стенд\\p{L}*|предпрод\\p{L}*',
    ],
    ['検証|試す|公開前|ステージング|テスト環境', '测试服务器|预发|测试环境|试用', '스테이징|테스트 서버|검증'],
  ),
  beside: anyWord(
    ['servers?|rebuilt|neu aufgesetzt|aufgesetzt|test|serveur|servidor'],
    ['サーバー|サーバ|確認|服务器'],
  ),
});

const releaseDay = (): Attribute => ({
  id: 'release day',
  of: 'project',
  value: 'weekday',
  words: anyWord(
    [
      'releas\\p{L}+|deploy\\p{L}*|ships?|shipping|go(?:es)? (?:out|live)|publish\\p{L}*',
      'liefertag|ausgeliefert|auslieferung\\p{L}*|ausliefer\\p{L}+|fassungen|veröffentlich\\p{L}+|releases?|freigabe\\p{L}*',
      'livraison|mise en production|déploie\\p{L}*|publie\\p{L}*',
      'publica\\p{L}*|lanza\\p{L}*|despliegue\\p{L}*|entrega\\p{L}*|implanta\\p{L}+',
      'релиз\\p{L}*|выпуск\\p{L}*|выклад\\p{L}+|публик\\p{L}+',
    ],
    ['リリース|公開|配信|出荷|デプロイ', '发布|上线|部署|发版', '배포|출시|릴리스'],
  ),
  not: anyWord(
    ["no|never|not|don['’]t|kein\\p{L}*|nie|nicht|jamais|pas|nunca|не"],
    ['しない|禁止|不要|不许|하지 않|금지'],
  ),
});

const branch = (): Attribute => ({
  id: 'main branch',
  of: 'project',
  value: 'known',
  words: anyWord(
    [
      'default branch|main branch|branch(?:es)?(?: off)?|pull requests?|merge requests?|prs?|merged? into|renamed',
      'hauptzweig|standardzweig|abgezweigt|zweig\\p{L}*|branch|pull requests?|änderungen gehen|umbenannt',
      'branche|renommée?',
      'rama|ramifica\\p{L}*|branch',
      'ветк\\p{L}+|ветв\\p{L}+',
    ],
    ['ブランチ|枝分かれ|変更は|改名', '分支|合并到|主干', '브랜치|가지'],
  ),
  beside: anyWord(['work|new|arbeit'], ['作業|変更|出す']),
});

const runtime = (): Attribute => ({
  id: 'runtime',
  of: 'project',
  value: 'known',
  words: anyWord(
    [
      'runs? on|runtime|target\\p{L}*|servers? ha(?:s|ve)|läuft auf|laufzeit\\p{L}*|zielumgebung|tourne sur|funciona con|работает на',
    ],
    ['実行環境|動か|対象に|サーバーには|运行环境|运行在|런타임|실행'],
  ),
  beside: anyWord(['ci|servers?|servern?|production|machines?|alles|everything'], ['サーバー|本番|服务器|서버']),
});

const database = (): Attribute => ({
  id: 'database',
  of: 'project',
  value: 'known',
  words: anyWord(
    [
      'databases?|(?:main )?store|data (?:lives?|is)|queries|production|daten|datenbank|abfragen|betrieb|base de données|base de datos|баз\\p{L}+ данных',
    ],
    ['データ|問い合わせ文|本番|データベース', '数据库|数据|데이터베이스|데이터'],
  ),
  beside: anyWord(['migrated|main|written|migriert'], ['移行|向け']),
});

const licence = (): Attribute => ({
  id: 'licence',
  of: 'project',
  value: 'known',
  words: anyWord(
    [
      'licen[cs]e[sd]?|relicensed|published under|headers|lizenz\\p{L}*|veröffentlicht|code steht unter|licence|licencia|licença|лицензи\\p{L}+',
    ],
    ['ライセンス|で公開|冒頭|许可证|授权|라이선스'],
  ),
  beside: anyWord(['owners?|agreed|files?|eigentümer|inhaber'], ['ファイル|所有者']),
});

const tracker = (): Attribute => ({
  id: 'tracker',
  of: 'project',
  value: 'known',
  words: anyWord(
    [
      'plan(?:s|ning|ned)?|tickets?|issues?|bugs?|tracker|tracked|board|tasks?|backlog',
      'planung|geplant|aufgaben|tickets?|fehler|vorgänge',
      'tickets?|planification|tâches',
      'tareas|incidencias|planifica\\p{L}*|tickets?',
      'задач\\p{L}*|тикет\\p{L}*|планир\\p{L}+',
    ],
    ['課題|計画|不具合|チケット', '任务|工单|计划|缺陷', '이슈|계획|작업'],
  ),
  beside: anyWord(['sprints?|imported|read-only|from this'], ['今期']),
});

const reviewer = (): Attribute => ({
  id: 'reviewer',
  of: 'project',
  value: 'person',
  words: anyWord(
    [
      'reviews?|reviewed|reviewer|code ?owner',
      'durchsicht|review|zuständig für den code|prüft (?:\\p{L}+ )?änderungen|codeverantwort\\p{L}+',
      'relecture|relit|relecteur|responsable du code',
      'revisa\\p{L}*|revisión|responsable del código',
      'ревью\\p{L}*|проверя\\p{L}+ (?:код|изменения)',
    ],
    ['レビュー|コードの責任|変更の確認|査読', '评审|代码负责|审查|审核', '리뷰|코드 책임|검토'],
  ),
  beside: anyWord(['übernommen|took over|all'], ['替わ|異動']),
});

const coverage = (): Attribute => ({
  id: 'coverage',
  of: 'project',
  value: 'percent',
  words: anyWord(
    [
      'coverage|tests? (?:ha(?:s|ve) to |must |should )?cover|ci (?:fails|is red|breaks|turns red)|threshold',
      'abdeck\\p{L}*|testabdeckung|ci|tests? (?:müssen|decken)',
      'couverture',
      'cobertura',
      'покрыти\\p{L}+',
    ],
    ['カバレッジ|網羅|CI|基準', '覆盖率|커버리지'],
  ),
  beside: anyWord(['tests?|ci|bar|goal|lines?|ziel'], ['テスト|测试|테스트']),
});

const testCommand = (): Attribute => ({
  id: 'test command',
  of: 'project',
  value: 'command',
  words: anyWord(['tests?|test ?suite|whole suite|testet|suite|pruebas|тест\\p{L}*|essais'], ['テスト|测试|테스트']),
  not: anyWord(
    [
      'unit|integration|e2e|end-to-end|fast|slow|single|one (?:file|test)|watch|lint|format\\p{L}*|build|docs|coverage|types?|bench\\p{L}*|schnell\\p{L}*|einzel\\p{L}*',
    ],
    ['単体|結合|一つ|单元|集成|단위|통합'],
  ),
  beside: anyWord(['commits?|commands?|befehl|comando|commande|push'], ['コミット|コマンド|提交|命令|커밋']),
});

/** What is noted of a project. */
export const projectAttributes: () => readonly Attribute[] = lazily(() => [
  packageTool(),
  testCommand(),
  staging(),
  releaseDay(),
  branch(),
  runtime(),
  database(),
  licence(),
  tracker(),
  reviewer(),
  coverage(),
  port(),
]);

/**
 * Words that make of a note one about something or somebody else, under one name for all languages: the port of the mail
 * catcher is not that of the API, and a colleague's town is not the person's.
 */
export const otherSubjects: () => readonly (readonly [string, RegExp])[] = lazily(() => [
  [
    'somebody else',
    anyWord(
      [
        'colleagues?|teammates?|from the team|in the team|brother|sister|mother|father|son|daughter|wife|husband|partner|friend|neighbou?r|customers?|client|vendor|kollegen?|kollegin|aus dem team|im team|bruder|schwester|mutter|vater|sohn|tochter|frau|mann|freund(?:in)?|nachbar\\p{L}*|kund\\p{L}+|collègue|frère|sœur|client\\p{L}*|compañer[oa]|herman[oa]|espos[oa]|cliente|коллег\\p{L}+|брат\\p{L}*|сестр\\p{L}+|жен[аыу]|муж\\p{L}*|клиент\\p{L}*',
      ],
      [
        '同僚|顧客|兄|弟|姉|妹|妻|夫|友人|取引先',
        '同事|客户|哥哥|弟弟|妻子|丈夫|朋友',
        '동료|고객|형|누나|아내|남편|친구',
      ],
    ),
  ],
  ['analytics', anyWord(['analytics|reporting|auswertung\\p{L}*|analítica|аналитик\\p{L}+'], ['分析|集計|분석'])],
  ['mail', anyWord(['mails?|smtp|mail ?catcher|mailfänger|correo|courrier|почт\\p{L}+'], ['メール|邮件|메일'])],
  [
    'metrics',
    anyWord(
      ['metrics|monitoring|prometheus|grafana|metriken|métricas|метрик\\p{L}*'],
      ['メトリクス|指標|監視|指标|监控|메트릭'],
    ),
  ],
  [
    'backup',
    anyWord(['backups?|sicherung\\p{L}*|copia de seguridad|sauvegarde|резервн\\p{L}+'], ['バックアップ|备份|백업']),
  ],
  ['past', anyWord(['grew up|born|aufgewachsen|geboren'], ['出身|生まれ|出生|출신'])],
  ['cache', anyWord(['cache|redis|queue|zwischenspeicher'], ['キャッシュ|待ち行列|缓存|队列|캐시'])],
]);
