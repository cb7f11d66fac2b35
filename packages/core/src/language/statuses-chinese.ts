/** How Chinese says that something passed, failed, was fixed, deleted, pushed; and how it says that it was not. */
import {
  forVerbs,
  type Status,
  type StatusPhrase,
  type StatusVerbs,
  type StatusWords,
  statusPatterns,
} from './status.ts';

const verbs: StatusVerbs = {
  fixed: '修复|修好|修正|解决|修補|修復',
  deleted: '删除|移除|删掉|清除|刪除',
  created: '创建|新建|生成|建立|编写|写入|創建',
  changed: '修改|更新|更改|改动|添加|新增|加入|重构|重命名|实现|迁移|替换|调整|改为',
  committed: '提交',
  pushed: '推送',
  merged: '合并|合入',
  released: '发布|部署|上线',
  installed: '安装',
  done: '完成|执行|运行|测试|验证|处理|跑|做',
  kept: '保留',
  stopped: '停止|终止|关闭',
};

/** Not before a noun that the phrase describes (`已删除的文件`) and not as the start of a longer word. */
const end = '(?!的|率|器|者|时间|日期|状态|列表|记录|日志|信息|消息|提示|条件|标准|参数)';

const stop = '(?=\\s*(?:$|[。．，、；：！？）)\\]】」』.,;:!?|（(—✅❌·→-]|且|但|而|并|和|吗|了))';

const not = '(?:尚未|仍未|还未|并未|从未|未能|没能|并没有|还没有|没有|还没|没|未|無法|无法)';

function verbPhrases(verb: string, status: Status, denied: Status): readonly StatusPhrase[] {
  return [
    [denied, `${not}(?:被|成功|完全|全部|再|进行|去)?${verb}(?:成功|完成)?${end}`],
    ['undone', `${verb}(?:尚未|未|没有)完成${end}`],
    ['failed', `${verb}(?:均|都|全部)?失败${failedEnd}`],
    [status, `${verb}(?:均|都|全部)?成功${succeededEnd}`],
    [status, `(?:已经|均已|都已|现已|已)(?:被|成功|完全|全部|将|把)?${verb}(?:了|完成|完毕|成功)?${end}`],
    // `已将 a.ts 删除`: the object stands between.
    [status, `已经?(?:将|把)[^，。；,;已未]{1,40}${verb}(?:了|完成|完毕)?${end}`],
    [status, `成功${verb}(?:了)?${end}`],
    [status, `被${verb}(?:了)?(?!的)${stop}`],
    [status, `${verb}(?:了|完毕|掉了|好了)(?!吗)`],
    [status, `${verb}完成${stop}`],
  ];
}

const failedEnd =
  '(?!的|后|时|率|模式|原因|处理|重试|次数|用例|测试|情况|案例|回调|信息|消息|日志|场景|任务|项|则|就|会|或|即|状态|提示|路径|分支|请求|登录|恢复|通知|转移|页|码|列表|记录|断言)';

const succeededEnd = '(?!的|后|时|率|案例|提示|消息|信息|回调|地|与否|状态|页|则|就|会|或|返回|标志|响应|日志)';

const checks =
  '(?:测试|检查|构建|编译|评审|审查|校验|验证|用例|单测|流水线|规范|格式|lint|CI|tsc|e2e|biome|eslint|pytest|\\ufffc+)';

const allPassed =
  '(?:全部|全都|均已|都已|已经|均|都|已|也|仍然|现在|完全|顺利|成功|一次|\\d+ ?[个项条]?(?:测试|用例)?)';

const absences: readonly StatusPhrase[] = [
  ['failed', `(?:尚未|仍未|还未|并未|未能|没能|没有|还没|没|未|不|无法)(?:全部|完全|能|再)?通过${end}`],
  ['failed', '通不过'],
  [
    'passed',
    `(?:没有|未|无|零|0 ?[个项条]?)(?:任何|发现|出现|新的)?(?:失败|错误|报错|异常|警告|问题)(?!的|码|信息|处理|时|则|会|就|日志)`,
  ],
  ['passed', '(?:失败|错误)\\s?[:：为]\\s?0(?![\\d.])'],
  ['passed', '(?:没有|未|不再|不会再?)(?:失败|报错|出错|崩溃)(?!的|时)'],
];

const passing: readonly StatusPhrase[] = [
  // `测试通过 mock 实现` speaks of a means, so that something must end after it.
  ['passed', `${allPassed}(?:被)?通过${stop}`],
  ['passed', `(?<=${checks}[\\s:：]{0,2})通过(?!率)${stop}`],
  ['passed', `(?:已经?)?通过了(?=[^，。；,;]{0,12}${checks}|\\s*(?:$|[，。；！,.;!]))`],
  ['passed', `(?<=^\\W{0,16}|[:：|（(]\\s*)通过(?=\\s*(?:$|[，。；）)|,;]))`],
  [
    'failed',
    `(?:仍然|依然|仍|还是|全部|全都|均|都|已经|已)?(?:失败|报错|出错|崩溃|挂掉)了?${failedEnd}(?=\\s*(?:$|[。，、；：！）)\\]」.,;:!?|（(—❌·→-]|[且但而并和了因由\\d]))`,
  ],
  ['passed', `(?:全部|全都|均|都|已经|已|顺利)?成功了?${succeededEnd}${stop}`],
  ['failed', '(?<=\\d ?[个项条](?:测试|用例)?)失败(?!的)'],
  ['passed', '(?:运行|工作)正常(?!的)'],
  ['failed', '(?:无法|不能)(?:正常)?(?:运行|工作|启动)(?!的)'],
];

const others: readonly StatusPhrase[] = [
  ['failed', '(?:以|因)(?:失败|错误|异常|报错)(?:告终|结束|收场|退出|终止)'],
  ['failed', '(?:没有|未能|没能|未|没)成功(?!的)'],
  ['passed', '一切(?:正常|顺利)|顺利(?:完成|结束|通过)'],
  ['created', '(?<=[（(:：—→|]\\s{0,2})(?:新文件|新建文件|新增文件)'],
  ['changed', '(?<=[（(:：—→|]\\s{0,2})(?:有改动|有修改|有变更|有变化)'],
  ['unchanged', '(?:无|没有)(?:任何)?(?:改动|修改|变更|变化)'],
  ['deleted', '(?:不再|已不)存在(?!的)', 'now'],
  ['fixed', '后来(?:被|已)?(?:修复|解决|修正)'],
  ['kept', '被保留下来|(?:仍然|仍|依然|还)(?:存在|在原处|保留着?)(?!的)', 'now'],
  ['undone', '(?:还|尚|仍)?(?:没有?|未)(?:开始|启动)(?!的)'],
  ['undone', '(?:正在进行|进行中|待处理|待办|待完成|未开始|尚未开始|挂起|搁置)(?!的)', 'open'],
  ['running', '(?:正在|仍在|还在)运行(?!的|测试|脚本|命令)|运行中(?!的)', 'now'],
  ['undone', '正在(?:修复|修改|删除|创建|实现|推送|合并|部署|安装|测试|处理|执行)', 'open'],
  ['undone', '已?(?:撤销|跳过)了?(?!的)(?=\\s*(?:$|[。，；,;]))'],
  ['unchanged', '(?:保持)(?:不变|原样)|未(?:作|做)(?:任何)?(?:修改|改动|更改)|原封不动'],
  ['deleted', '不存在了', 'now'],
  ['done', `(?:全部|均|都)?完成${stop}`],
];

/** Chinese. */
export const chineseStatuses: StatusWords = {
  patterns: statusPatterns([...absences, ...forVerbs(verbs, verbPhrases), ...others, ...passing]),
  before:
    /让|需要|需(?!求)|应该|应当|应(?=能|被|在|先|可)|必须|务必|将会|即将|将要|计划(?!条目|项|中|里|的|列表)|打算|准备|如果|假如|若(?!干)|一旦|当(?!前|时|天|中)|有待|尚待|待$|希望|尝试|试图|可能|也许|或许|大概|可以|能够|建议|确保|保证|以便|为了|直到|除非|是否|请(?!求)|(?<![主重需只想])要(?!求|点|素|么)|会(?=失败|成功|通过|被|导致|自动|在)|下一步|接下来|之后|稍后|后续|尽快|避免|防止|等待|想要|^\s*(?:检查|验证|确认)|将$/,
  after: /^(?:之?后|以后|时|之?前|的话|与否|才|再)/,
  now: /现在|目前|当前|现已|仍|依然|眼下|截至/,
};
