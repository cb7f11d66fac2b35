/** What an account may do: what it has paid for, how often it may ask, and with which key. */
import { type FailureRule, words } from './rule.ts';

export const accountRules: readonly FailureRule[] = [
  // A limit of usage that comes back by itself; the same words without a time mean money.
  { reason: 'rate_limit', status: [0, 402, 429], text: /(?:usage|plan) limit.{0,160}(?:try again|resets?\b|retry)/is },

  // No money left.
  {
    reason: 'billing',
    codes: words(
      'insufficient_quota insufficient_balance insufficient_funds billing_hard_limit_reached billing_not_active ' +
        'billing_error insufficient_balance_error insufficient_user_quota exceeded_current_quota_error arrearage allocationquota.freetieronly quota_exceeded 1113 1309',
    ),
  },
  { reason: 'billing', status: [402] },
  { reason: 'billing', text: /credit balance is too low|insufficient (?:balance|credits?|funds)|prepayment credits/i },
  { reason: 'billing', text: /key limit exceeded|spending limit|used all available credits|monthly included credits/i },
  { reason: 'billing', text: /reached your (?:specified )?(?:api )?usage limits?|free tier of the model has been/i },
  { reason: 'billing', text: /account (?:is |has been )?suspended.{0,80}(?:billing|balance|recharge)|余额不足|欠费/i },

  { reason: 'overloaded', codes: ['model_capacity_exhausted'] },
  // Google's word for a limit per minute, whose message speaks of the quota as others do when the money is spent.
  { reason: 'rate_limit', codes: ['resource_exhausted'] },
  { reason: 'billing', text: /exceeded your current quota/i },

  // Too busy, whatever the status says.
  {
    reason: 'overloaded',
    codes: words('overloaded_error engine_overloaded_error server_overloaded server_is_overloaded model_overloaded'),
  },
  { reason: 'overloaded', codes: words('slow_down modelnotreadyexception serviceunavailableexception 1305 1312') },
  {
    reason: 'upstream_rate_limit',
    status: [0, 429],
    text: /rate.?limited upstream|error from provider.{0,60}too many requests/i,
  },
  {
    reason: 'rate_limit',
    codes: words(
      'rate_limit_exceeded rate_limit_error rate_limit_reached_error throttling throttlingexception ' +
        'throttling.ratequota throttling.allocationquota throttling.burstrate toomanyrequestsexception ' +
        'servicequotaexceededexception requests tokens 1302 1303',
    ),
    status: [400, 429],
  },
  {
    reason: 'rate_limit',
    codes: words(
      'rate_limit_exceeded rate_limit_error throttlingexception throttling usage_limit_reached 1302 1303 1304 1308 1310',
    ),
  },
  {
    reason: 'overloaded',
    status: [0, 429, 503],
    text: /overloaded|over capacity|at capacity|no capacity|(?:system|tier) capacity|server (?:is )?busy|pending requests exceeded|loading model|访问量过大|负载(?:过高|已经?饱和)/i,
  },
  {
    reason: 'rate_limit',
    status: [0, 400, 429],
    text: /rate.?limit|too many requests|throttl|tokens per (?:minute|min|day)|请求(?:过于)?频繁|频率(?:超限|过高)|并发数过高|每分钟|速率限制|\b[rt]pm\b/i,
  },

  // The key.
  {
    reason: 'auth_permanent',
    codes: words(
      'permission_error permission_denied accessdeniedexception accessdenied access_denied account_deactivated',
    ),
  },
  { reason: 'auth_permanent', codes: words('unsupported_country_region_territory api_key_service_blocked 1220 1311') },
  {
    reason: 'auth',
    codes: words(
      'invalid_api_key invalidapikey api_key_invalid authentication_error invalid_authentication_error unauthenticated ' +
        'unauthorized expiredtokenexception unrecognizedclientexception invalidsignatureexception 1000 1001 1002 1003 1004',
    ),
  },
  {
    reason: 'auth',
    text: /api key (?:not valid|expired|is invalid)|(?:incorrect|invalid) api[ _-]key|no auth credentials|login fail|身份验证失败|鉴权失败|(?:密钥|api ?key) ?(?:无效|错误|不正确)/i,
  },
];
