/** The headings that summaries have, by what stands under them. */
import type { FactType, Language } from './lines.ts';

export const sectionNames = [
  'newest',
  'requests',
  'constraints',
  'actions',
  'files',
  'errors',
  'state',
  'decisions',
  'plan',
  'next',
  'context',
] as const;

export type SectionName = (typeof sectionNames)[number];

export const sectionOf: Readonly<Record<FactType, SectionName>> = {
  request: 'requests',
  constraint: 'constraints',
  answer: 'decisions',
  topic: 'actions',
  run: 'actions',
  exit: 'actions',
  failure: 'errors',
  outlook: 'next',
  created: 'files',
  changed: 'files',
  deleted: 'files',
  read: 'files',
  fixed: 'errors',
  effect: 'state',
  plan: 'plan',
  decision: 'decisions',
  count: 'actions',
  duration: 'actions',
  version: 'context',
  commit: 'state',
  url: 'context',
  issue: 'context',
  function: 'files',
  flag: 'context',
  env: 'context',
  branch: 'state',
};

/** The nine sections of one widely used agent, and the headings of our own handoff. */
export const summaryShapes = ['nine', 'own', 'prose'] as const;

export type SummaryShape = (typeof summaryShapes)[number];

type Headings = Readonly<Record<SectionName, string>>;

const nine: Readonly<Record<Language, Headings>> = {
  en: {
    newest: '8. Current Work:',
    requests: '6. All user messages:',
    constraints: '1. Primary Request and Intent:',
    actions: '5. Problem Solving:',
    files: '3. Files and Code Sections:',
    errors: '4. Errors and fixes:',
    state: '2. Key Technical Concepts:',
    decisions: '10. Decisions:',
    plan: '7. Plan Status:',
    next: '11. Optional Next Step:',
    context: '9. Additional Context:',
  },
  zh: {
    newest: '8. 当前工作：',
    requests: '6. 所有用户消息：',
    constraints: '1. 主要请求和意图：',
    actions: '5. 问题解决：',
    files: '3. 文件和代码部分：',
    errors: '4. 错误和修复：',
    state: '2. 关键技术概念：',
    decisions: '10. 决策：',
    plan: '7. 计划状态：',
    next: '11. 可选的下一步：',
    context: '9. 其他背景：',
  },
  ja: {
    newest: '8. 現在の作業：',
    requests: '6. すべてのユーザーメッセージ：',
    constraints: '1. 主な要求と意図：',
    actions: '5. 問題解決：',
    files: '3. ファイルとコード：',
    errors: '4. エラーと修正：',
    state: '2. 主要な技術概念：',
    decisions: '10. 決定事項：',
    plan: '7. 計画の状況：',
    next: '11. 次のステップ（任意）：',
    context: '9. その他の背景：',
  },
  ko: {
    newest: '8. 현재 작업:',
    requests: '6. 모든 사용자 메시지:',
    constraints: '1. 주요 요청과 의도:',
    actions: '5. 문제 해결:',
    files: '3. 파일 및 코드 섹션:',
    errors: '4. 오류와 수정:',
    state: '2. 핵심 기술 개념:',
    decisions: '10. 결정 사항:',
    plan: '7. 계획 상태:',
    next: '11. 선택적 다음 단계:',
    context: '9. 추가 맥락:',
  },
};

const own: Readonly<Record<Language, Headings>> = {
  en: {
    newest: '## Active Task',
    requests: '## Goal',
    constraints: '## Constraints & Preferences',
    actions: '## Completed Actions',
    files: '## Relevant Files',
    errors: '## Blocked',
    state: '## Active State',
    decisions: '## Key Decisions',
    plan: '## In Progress',
    next: '## Remaining Work',
    context: '## Critical Context',
  },
  zh: {
    newest: '## 当前任务',
    requests: '## 目标',
    constraints: '## 约束与偏好',
    actions: '## 已完成的操作',
    files: '## 相关文件',
    errors: '## 错误与阻塞',
    state: '## 当前状态',
    decisions: '## 关键决策',
    plan: '## 进行中',
    next: '## 剩余工作',
    context: '## 重要背景',
  },
  ja: {
    newest: '## 現在のタスク',
    requests: '## 目的',
    constraints: '## 制約と好み',
    actions: '## 完了した作業',
    files: '## 関連ファイル',
    errors: '## エラーと障害',
    state: '## 現在の状態',
    decisions: '## 主な決定',
    plan: '## 進行中',
    next: '## 残りの作業',
    context: '## 重要な文脈',
  },
  ko: {
    newest: '## 현재 작업 요청',
    requests: '## 목표',
    constraints: '## 제약과 선호',
    actions: '## 완료된 작업',
    files: '## 관련 파일',
    errors: '## 오류와 장애',
    state: '## 현재 상태',
    decisions: '## 주요 결정',
    plan: '## 진행 중',
    next: '## 남은 작업',
    context: '## 중요한 맥락',
  },
};

/** The heading of a section, undefined in a summary without headings. */
export function headingOf(section: SectionName, shape: SummaryShape, language: Language): string | undefined {
  return shape === 'prose' ? undefined : (shape === 'nine' ? nine : own)[language][section];
}

/** The order in which sections stand. */
export const orderOf: Readonly<Record<SummaryShape, readonly SectionName[]>> = {
  nine: [
    'constraints',
    'state',
    'files',
    'errors',
    'actions',
    'requests',
    'plan',
    'newest',
    'next',
    'context',
    'decisions',
  ],
  own: sectionNames,
  prose: sectionNames,
};
