/** Keys of more services: payments, sales channels, messengers, hosting and tools that programs call less often. */
import { looksRandom } from './looks.ts';
import { prefixed, type Rule, shaped, uuid } from './rule.ts';

const word = '[\\w-]';
const hex = '[0-9a-f]';

export const channelRules: readonly Rule[] = [
  // Payments and sales
  prefixed('woocommerce-key', 'ck_ cs_', { chars: hex, least: 40 }),
  prefixed('xendit-key', 'xnd_production_ xnd_development_', { chars: word }),
  prefixed('midtrans-key', 'Mid-server- Mid-client-', { chars: word }),
  prefixed('omise-key', 'skey_test_ skey_live_ skey_', { chars: '\\w', check: (one) => looksRandom(one.slice(5), 16) }),
  prefixed('toss-key', 'live_sk_ test_sk_ live_gsk_ test_gsk_', { least: 20 }),
  prefixed('stripe-ephemeral-key', 'ek_live_ ek_test_', { chars: '[\\w,]', least: 20 }),
  prefixed('checkout-key', 'sk_sbox_', { chars: '[a-z0-9*#$=]', least: 20 }),
  shaped('gocardless-token', 'live_ sandbox_', '(?:live|sandbox)_[\\w-]{38,44}(?![\\w-])', {
    check: (one) => looksRandom(one.slice(5), 30),
  }),
  shaped('paypal-access-token', 'A21AA', 'A21AA[\\w-]{60,120}'),
  shaped('braintree-token', 'sandbox_ production_', '(?:sandbox|production)_[a-z0-9]{8}_[a-z0-9]{16}(?![a-z0-9])', {
    check: (one) => /\d/.test(one.slice(9)),
  }),
  prefixed('partner-token', 'prtapi_', { least: 20 }),
  shaped('ebay-key', 'PRD- SBX-', `(?:PRD|SBX)-${hex}{12}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{4}`),
  prefixed('ebay-token', 'v^1.1#i^1#', { chars: '[\\w^#+/=]', least: 40 }),
  prefixed('amazon-login-secret', 'amzn1.oa2-cs.v1.', { chars: hex, least: 40 }),
  prefixed('amazon-login-token', 'Atzr| Atza|', { chars: '[\\w-]', least: 60 }),
  shaped('zoho-token', '1000.', `1000\\.${hex}{32}\\.${hex}{32}`),
  shaped('close-key', 'api_', 'api_[A-Za-z0-9]{20,24}\\.[A-Za-z0-9]{20,24}(?![\\w.])'),
  prefixed('intercom-token', 'dG9r', { chars: '[A-Za-z0-9+/=]', least: 50 }),

  // Messengers and mail
  shaped(
    'facebook-app-token',
    [...'0123456789']
      .flatMap((one) => [`${one}|`])
      .flatMap((end) => [...'0123456789'].map((one) => one + end))
      .join(' '),
    '(?<=(?<![\\w-])(?<lead>\\d{12,15}))\\d{2}\\|[\\w-]{26,30}(?![\\w-])',
    { startsWord: false, check: (one) => looksRandom(one.slice(one.indexOf('|')), 20) },
  ),
  shaped('matrix-token', 'syt_', 'syt_[\\w-]{4,60}_[A-Za-z]{20}_[A-Za-z0-9]{6}'),
  shaped('firebase-server-key', ':APA91', '(?<=(?<![\\w-])(?<lead>[\\w-]{8,30})):APA91[\\w-]{120,200}', {
    startsWord: false,
  }),
  prefixed('vk-token', 'vk1.a.', { chars: word, least: 60 }),
  prefixed('yandex-oauth-token', 'y0_', { chars: word, least: 40 }),
  shaped('feishu-webhook', '/bot/v2/hook/', `\\/bot\\/v2\\/hook\\/(${uuid})`, { startsWord: false }),
  prefixed('mailersend-token', 'mlsn.', { chars: hex, least: 50 }),
  shaped('telnyx-key', 'KEY0', 'KEY0[0-9A-F]{30,34}_[A-Za-z0-9]{20,24}'),
  prefixed('tiktok-token', 'act. clt. rft.', {
    chars: '[\\w!.*]',
    least: 40,
    check: (one) => looksRandom(one.slice(4), 40),
  }),

  // Hosting and data
  shaped('digitalocean-spaces-key', 'DO00 DO80', 'DO[08]0[A-Z0-9]{16}(?![A-Za-z0-9])'),
  shaped('scaleway-key', 'SCW', 'SCW[A-Z0-9]{17}(?![A-Za-z0-9])', {
    check: (one) => looksRandom(one.slice(3), 16) || /\d/.test(one),
  }),
  prefixed('exoscale-key', 'EXO', { chars: hex, least: 24 }),
  shaped('backblaze-key', 'K001 K002 K003 K004 K005', 'K00\\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])', {
    check: (one) => looksRandom(one.slice(4), 20),
  }),
  prefixed('baidu-key', 'bce-v3/ALTAK-', { chars: '[\\w/-]', least: 30 }),
  prefixed('confluent-secret', 'cflt', { chars: '[A-Za-z0-9+/]', least: 50 }),
  prefixed('fauna-key', 'fnAA fnAC fnAD fnAE fnAF', { chars: word, least: 34 }),
  shaped('akamai-token', 'akab-', 'akab-[a-z0-9]{16}-[a-z0-9]{16}'),
  shaped('vault-batch-token', 'b.AAAA', 'b\\.AAAA[\\w-]{80,300}'),
  shaped(
    'node-provider-key',
    'infura.io/v3/ .alchemy.com/v2/ .alchemyapi.io/v2/ .quiknode.pro/',
    '(?:infura\\.io\\/v3|\\.alchemy(?:api)?\\.(?:com|io)\\/v2|\\.quiknode\\.pro)\\/([\\w-]{28,64})',
    {
      startsWord: false,
    },
  ),

  // Tools
  prefixed('langchain-key', 'ls__', { chars: hex, least: 32 }),
  prefixed('wakatime-key', 'waka_', { chars: '[0-9a-f-]', least: 36 }),
  prefixed('portainer-token', 'ptr_', { chars: '[A-Za-z0-9+/=]', least: 40 }),
  prefixed('calcom-key', 'cal_live_ cal_test_', { chars: hex, least: 30 }),
  prefixed('inngest-key', 'signkey-prod- signkey-test- signkey-branch-', { chars: hex, least: 32 }),
  prefixed('trigger-key', 'tr_dev_ tr_prod_ tr_stg_ tr_pat_', { least: 20 }),
  prefixed('unkey-key', 'unkey_', { chars: '\\w', least: 20, check: (one) => looksRandom(one.slice(6), 16) }),
  shaped(
    'bitwarden-token',
    [...'0123456789abcdef'].map((one) => `0.${one}`).join(' '),
    `0\\.${uuid}\\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==`,
  ),
  shaped('fernet-token', 'gAAAAA', 'gAAAAA[\\w-]{60,2000}={0,2}', {
    check: (one) => looksRandom(one.slice(6, 66), 40),
  }),
  shaped('paseto', 'v1. v2. v3. v4.', 'v[1-4]\\.(?:local|public)\\.[\\w-]{40,2000}(?:\\.[\\w-]{1,400})?'),
  prefixed('neptune-token', 'eyJhcGlfYWRkcmVzcyI6', { chars: '[A-Za-z0-9+/=]', least: 60 }),
  prefixed('kaggle-token', 'KGAT_', { chars: hex, least: 32 }),
  prefixed('stackhawk-key', 'hawk.', { chars: '[\\w.-]', least: 36 }),
  prefixed('chromatic-token', 'chpt_', { chars: hex }),
  prefixed('honeybadger-token', 'hbp_', { least: 30 }),
  shaped('teamcity-token', 'eyJ0eXAiOiAiVENWMiJ9.', 'eyJ0eXAiOiAiVENWMiJ9\\.[\\w-]{20,60}\\.[\\w-]{30,80}'),
  prefixed('endorlabs-key', 'endr+', { chars: '[\\w-]', least: 16, check: (one) => looksRandom(one.slice(5), 14) }),
  shaped('settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', 'sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}(?![A-Za-z0-9])'),
  prefixed('authress-key', 'authress_ scauth_', { chars: '[\\w.+/=-]', least: 60 }),
  prefixed('google-express-key', 'AQ.Ab', { chars: word, least: 40 }),
  prefixed('google-oauth-code', '4/0A', { chars: word, least: 50 }),
];
