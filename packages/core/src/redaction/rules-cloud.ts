/** Credentials of clouds, hosting, databases and the tools that run them. */
import { looksRandom } from './looks.ts';
import { prefixed, type Rule, shaped, uuid } from './rule.ts';

const word = '[\\w-]';
const hex = '[0-9a-f]';
const base64 = '[A-Za-z0-9+/]';

export const cloudRules: readonly Rule[] = [
  shaped(
    'aws-access-key-id',
    'AKIA ASIA ABIA ACCA A3T AROA AIDA AGPA AIPA ANPA ANVA',
    '(?:A3T[A-Z0-9]|A(?:KI|SI|BI|RO|ID|GP|IP|NP|NV)A|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  ),
  shaped('aws-access-key-id', 'AKIA ASIA', '(?:AKIA|ASIA)[A-Z0-9]{8,15}(?=…|\\.{2}|\\*{3}|$)'),
  prefixed('aws-session-token', 'FwoGZXIvYXdz IQoJb3JpZ2lu', { chars: '[A-Za-z0-9+/=]', least: 60 }),
  prefixed('aws-bedrock-key', 'ABSK bedrock-api-key-', { chars: '[A-Za-z0-9+/=]', least: 60 }),
  shaped('amazon-mws-token', 'amzn.mws.', `amzn\\.mws\\.${uuid}`),
  shaped('alibaba-access-key-id', 'LTAI', 'LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])'),
  shaped('tencent-secret-id', 'AKID', 'AKID[A-Za-z0-9]{13,40}(?![A-Za-z0-9])', {
    check: (one) => looksRandom(one, 16),
  }),
  prefixed('volcengine-access-key-id', 'AKLT', { chars: word, least: 20 }),
  prefixed('yandex-key', 'AQVN YCAJE t1.9eu', { chars: '[\\w.-]', least: 30 }),
  prefixed('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', { chars: hex }),
  prefixed('heroku-key', 'HRKU-', { chars: word, least: 20 }),
  prefixed('fly-token', 'fm1r_ fm1a_ fm2_ fo1_', { chars: '[\\w+/=,-]', least: 20 }),
  prefixed('vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', { least: 20 }),
  prefixed('netlify-token', 'nfp_ nfc_ nfo_ nfb_ nfu_', { least: 30 }),
  prefixed('render-key', 'rnd_', { least: 24 }),
  prefixed('cloudflare-token', 'cfut_ cfat_ cfk_', { chars: word, least: 30 }),
  shaped('cloudflare-origin-key', 'v1.0-', `v1\\.0-${hex}{24}-${hex}{40,160}`),
  prefixed('supabase-key', 'sbp_ sb_secret_', { chars: word }),
  prefixed('planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', { chars: '[\\w.-]' }),
  prefixed('neon-key', 'napi_', { least: 30 }),
  shaped('databricks-token', 'dapi', `dapi${hex}{32}(?:-\\d)?(?![A-Za-z0-9])`),
  prefixed('aiven-password', 'AVNS_', { chars: word }),
  prefixed('vault-token', 'hvs. hvb. hvr.', { chars: word }),
  shaped('terraform-token', '.atlasv1.', '(?<=(?<![A-Za-z0-9])(?<lead>[A-Za-z0-9]{14}))\\.atlasv1\\.[\\w-]{30,100}', {
    startsWord: false,
  }),
  prefixed('pulumi-token', 'pul-', { chars: hex, least: 30 }),
  prefixed('infracost-key', 'ico-', { least: 32 }),
  prefixed('scalingo-token', 'tk-us-', { chars: word, least: 40 }),
  shaped('tailscale-key', 'tskey-', 'tskey-[a-z]{2,12}-[A-Za-z0-9]{6,40}-[A-Za-z0-9]{12,80}'),
  prefixed('onepassword-token', 'ops_eyJ', { chars: '[\\w=-]', least: 40 }),
  shaped(
    'onepassword-secret-key',
    'A3-',
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Z0-9])',
  ),
  prefixed('doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', { chars: '[\\w.-]' }),
  prefixed('openshift-token', 'sha256~', { chars: word, least: 40 }),
  shaped(
    'azure-client-secret',
    '0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~',
    '(?<=(?<![\\w.~-])(?<lead>[\\w.~-]{3}))\\dQ~[\\w.~-]{31,34}(?![\\w.~-])',
    {
      startsWord: false,
    },
  ),
  shaped(
    'azure-storage-key',
    'AccountKey= SharedAccessKey= SharedKey=',
    `(?:AccountKey|SharedAccessKey|SharedKey)=(${base64}{24,100}={0,2})`,
    {
      by: 'place',
      startsWord: false,
    },
  ),
  shaped(
    'azure-devops-token',
    'AZDO',
    '(?<=(?<![A-Za-z0-9])(?<lead>[A-Za-z0-9]{60,90}))AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])',
    { startsWord: false },
  ),
  shaped(
    'azure-key',
    'JQQJ99',
    '(?<=(?<![A-Za-z0-9])(?<lead>[A-Za-z0-9]{40,60}))JQQJ99[A-Za-z0-9]{20,40}(?![A-Za-z0-9])',
    {
      startsWord: false,
    },
  ),
  prefixed('mongodb-atlas-secret', 'mdb_sa_sk_', { chars: word, least: 20 }),
  prefixed('dbt-token', 'dbtc_ dbtu_ dbts_', { chars: '[\\w=-]', least: 30 }),
  prefixed('xata-key', 'xau_ xatakey_', { chars: word, least: 20 }),
  prefixed('upcloud-token', 'ucat_', { least: 20 }),
  prefixed('netbird-token', 'nbp_', { least: 30 }),
  prefixed('defined-key', 'dnkey-', { chars: word, least: 26 }),
  prefixed('tinybird-token', 'p.eyJ', { chars: '[\\w.-]', least: 30 }),
  prefixed('infisical-token', 'st.', { chars: '[0-9a-f.]', least: 60 }),
  shaped('prefect-key', 'pnu_ pnb_', 'pn[ub]_[A-Za-z0-9]{30,40}'),
  shaped('maxmind-key', '_mmk', '(?<=(?<![A-Za-z0-9])(?<lead>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}))_mmk(?![A-Za-z0-9])', {
    startsWord: false,
  }),
];
