/**
 * Credentials of every shape that a rule knows, made at run time from a seed: none of them opens anything, and none
 * stands in the repository for a scanner to find.
 */
import type { Dice } from '../../bench/invented-texts.ts';

const alphabets: Readonly<Record<string, string>> = {
  a: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  w: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  b: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  h: '0123456789abcdef',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  L: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  d: '0123456789',
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
};

/** A secret after a form: `{a20}` stands for 20 random characters of the alphabet `a`, `{u}` for a UUID. */
export function secretOf(form: string, dice: Dice): string {
  const uuid = '{h8}-{h4}-4{h3}-a{h3}-{h12}';
  return form.replaceAll('{u}', uuid).replaceAll(/\{([a-zA-Z])(\d+)\}/g, (_, name: string, count: string) => {
    const letters = alphabets[name] ?? '';
    return Array.from({ length: Number(count) }, () => letters[dice(letters.length)]).join('');
  });
}

/** A kind of credential that tells by itself what it is. */
export interface ShapeSample {
  readonly rule: string;
  readonly form: string;
}

const shape = (rule: string, ...forms: string[]): readonly ShapeSample[] => forms.map((form) => ({ rule, form }));

const models = [
  shape('anthropic-key', 'sk-ant-api03-{w93}AA', 'sk-ant-admin01-{w60}', 'sk-ant-oat01-{w80}'),
  shape(
    'openai-project-key',
    'sk-proj-{a74}T3BlbkFJ{a74}',
    'sk-svcacct-{a58}T3BlbkFJ{a58}',
    'sk-admin-{a74}T3BlbkFJ{a74}',
  ),
  shape('sk-key', 'sk-{a20}T3BlbkFJ{a20}', 'sk-{h32}', 'sk-{a48}'),
  shape('openrouter-key', 'sk-or-v1-{h64}'),
  shape('langfuse-key', 'sk-lf-{u}'),
  shape('google-api-key', 'AIzaSy{a33}'),
  shape('google-access-token', 'ya29.a0{a120}'),
  shape('google-client-secret', 'GOCSPX-{a28}'),
  shape('google-refresh-token', '1//0{a60}'),
  shape('huggingface-token', 'hf_{L34}', 'api_org_{L34}'),
  shape('groq-key', 'gsk_{a52}'),
  shape('xai-key', 'xai-{a80}'),
  shape('replicate-token', 'r8_{a37}'),
  shape('perplexity-key', 'pplx-{a48}'),
  shape('nvidia-key', 'nvapi-{a64}'),
  shape('cerebras-key', 'csk-{l48}'),
  shape('fireworks-key', 'fw_{a24}'),
  shape('together-key', 'tgp_v1_{w43}'),
  shape('langsmith-key', 'lsv2_pt_{h32}_{h10}', 'lsv2_sk_{h32}_{h10}'),
  shape('tavily-key', 'tvly-{a32}', 'tvly-dev-{a32}'),
  shape('firecrawl-key', 'fc-{h32}'),
  shape('pinecone-key', 'pcsk_{a6}_{a63}'),
  shape('jina-key', 'jina_{h32}{a28}'),
  shape('e2b-key', 'e2b_{h40}'),
  shape('mem0-key', 'm0-{a40}'),
  shape('cursor-key', 'key_{h64}', 'crsr_{h64}'),
  shape('elevenlabs-key', 'sk_{h48}'),
  shape('wandb-key', 'wandb_v1_{a48}'),
  shape('voyage-key', 'pa-{a43}'),
  shape('deepl-key', '{u}:fx'),
];

const clouds = [
  shape('aws-access-key-id', 'AKIA{A16}', 'ASIA{A16}'),
  shape('aws-session-token', 'FwoGZXIvYXdz{b200}', 'IQoJb3JpZ2lu{b300}'),
  shape('aws-bedrock-key', 'ABSK{b120}='),
  shape('alibaba-access-key-id', 'LTAI5t{a18}'),
  shape('tencent-secret-id', 'AKID{a32}'),
  shape('volcengine-access-key-id', 'AKLT{a40}'),
  shape('yandex-key', 'AQVN{a36}'),
  shape('digitalocean-token', 'dop_v1_{h64}', 'doo_v1_{h64}'),
  shape('heroku-key', 'HRKU-{u}', 'HRKU-AA{a58}'),
  shape('fly-token', 'fm2_{b120}', 'fo1_{a43}'),
  shape('vercel-token', 'vcp_{a56}', 'vck_{a56}'),
  shape('netlify-token', 'nfp_{a36}'),
  shape('render-key', 'rnd_{a28}'),
  shape('cloudflare-token', 'cfut_{a40}{h8}'),
  shape('cloudflare-origin-key', 'v1.0-{h24}-{h146}'),
  shape('supabase-key', 'sbp_{h40}', 'sb_secret_{a22}_{a8}'),
  shape('planetscale-token', 'pscale_tkn_{a43}', 'pscale_pw_{a43}'),
  shape('neon-key', 'napi_{l64}'),
  shape('databricks-token', 'dapi{h32}', 'dapi{h32}-2'),
  shape('aiven-password', 'AVNS_{a19}'),
  shape('vault-token', 'hvs.{a95}', 'hvb.{a140}'),
  shape('terraform-token', '{a14}.atlasv1.{a67}'),
  shape('pulumi-token', 'pul-{h40}'),
  shape('infracost-key', 'ico-{a32}'),
  shape('scalingo-token', 'tk-us-{a48}'),
  shape('tailscale-key', 'tskey-auth-{a17}-{a32}'),
  shape('onepassword-token', 'ops_eyJ{a200}'),
  shape('onepassword-secret-key', 'A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}'),
  shape('doppler-token', 'dp.pt.{a43}', 'dp.st.prd.{a43}'),
  shape('openshift-token', 'sha256~{a43}'),
  shape('azure-client-secret', '{a3}8Q~{a34}'),
  shape('prefect-key', 'pnu_{a36}'),
  shape('maxmind-key', '{a6}_{a29}_mmk'),
];

const code = [
  shape('github-token', 'ghp_{a36}', 'gho_{a36}', 'ghu_{a36}', 'ghs_{a36}', 'ghr_{a36}'),
  shape('github-app-token', 'ghs_{d7}_eyJ{a40}.eyJ{a120}.{a86}'),
  shape('github-fine-grained-token', 'github_pat_{a22}_{a59}'),
  shape('gitlab-token', 'glpat-{a20}', 'gldt-{a20}', 'glrt-{a20}', 'glptt-{h40}', 'GR1348941{a20}'),
  shape('bitbucket-token', 'ATBB{a32}'),
  shape('atlassian-token', 'ATATT3xFfGF0{a170}={h8}'),
  shape('npm-token', 'npm_{a36}'),
  shape('pypi-token', 'pypi-AgEIcHlwaS5vcmc{a130}'),
  shape('rubygems-key', 'rubygems_{h48}'),
  shape('crates-token', 'cio{a32}'),
  shape('nuget-key', 'oy2{l43}'),
  shape('clojars-token', 'CLOJARS_{l60}'),
  shape('docker-token', 'dckr_pat_{a27}', 'dckr_oat_{a32}'),
  shape('packagist-token', 'packagist_uut_{h68}'),
  shape('jfrog-key', 'AKCp8{a68}', 'cmVmdGtuOj{b54}'),
  shape('circleci-token', 'CCIPAT_{a22}_{h40}'),
  shape('buildkite-token', 'bkua_{h40}'),
  shape('sonar-token', 'sqp_{h40}', 'squ_{h40}'),
  shape('sourcegraph-token', 'sgp_{h16}_{h40}'),
  shape('jetbrains-token', 'perm:{a12}.{a16}.{a42}'),
  shape('snyk-token', 'snyk_uat.{h8}.{a180}'),
  shape('expo-token', 'expo_{a40}'),
];

const services = [
  shape(
    'slack-token',
    'xoxb-{d12}-{d13}-{a24}',
    'xoxp-{d12}-{d12}-{d12}-{h32}',
    'xapp-1-A{U10}-{d13}-{h64}',
    'xoxe-1-{a146}',
  ),
  shape('slack-webhook', 'T{U8}/B{U8}/{a24}'),
  shape('discord-token', 'MTA{a23}.{a6}.{a38}', 'NzE{a21}.{a6}.{a27}'),
  shape('discord-webhook', '{a68}'),
  shape('teams-webhook', '{u}@{u}/IncomingWebhook/{h32}/{u}'),
  shape('zapier-webhook', '{d7}/{l7}'),
  shape('telegram-token', '{d10}:AA{a33}'),
  shape('stripe-key', 'sk_live_{a24}', 'rk_live_{a24}', 'sk_test_{a99}'),
  shape('webhook-secret', 'whsec_{a32}'),
  shape('square-token', 'sq0atp-{a22}', 'EAAA{a60}'),
  shape('paypal-token', ['access_token', 'production', '{l16}', '{h32}'].join('$')),
  shape('plaid-token', 'access-sandbox-{u}'),
  shape('flutterwave-key', 'FLWSECK-{h32}-X'),
  shape('razorpay-key', 'rzp_live_{a14}'),
  shape('duffel-token', 'duffel_live_{a43}'),
  shape('shippo-token', 'shippo_live_{h40}'),
  shape('easypost-key', 'EZAK{a54}'),
  shape('lob-key', 'live_{h35}'),
  shape('shopify-token', 'shpat_{h32}', 'shpss_{h32}'),
  shape('sendgrid-key', 'SG.{a22}.{a43}'),
  shape('mailgun-key', 'key-{h32}'),
  shape('mailchimp-key', '{h32}-us12'),
  shape('mandrill-key', 'md-{a22}'),
  shape('brevo-key', 'xkeysib-{h64}-{a16}'),
  shape('resend-key', 're_{a8}_{a24}'),
  shape('twilio-key', 'SK{h32}', 'AC{h32}'),
  shape('linear-key', 'lin_api_{a40}'),
  shape('notion-secret', 'secret_{a43}'),
  shape('notion-token', 'ntn_{d11}{a35}'),
  shape('airtable-token', 'pat{a14}.{h64}'),
  shape('figma-token', 'figd_{a40}'),
  shape('hubspot-token', 'pat-na1-{u}'),
  shape('sentry-token', 'sntrys_eyJ{a120}_{b43}', 'sntryu_{h64}'),
  shape('grafana-token', 'glc_eyJ{b80}', 'glsa_{a32}_{h8}'),
  shape('grafana-api-key', 'eyJrIjoi{b70}='),
  shape('newrelic-key', 'NRAK-{U27}'),
  shape('newrelic-license', '{h36}NRAL'),
  shape('dynatrace-token', 'dt0c01.{U24}.{U64}'),
  shape('honeycomb-key', 'hcaik_{l58}'),
  shape('posthog-key', 'phx_{a43}'),
  shape('launchdarkly-key', 'sdk-{u}'),
  shape('postman-key', 'PMAK-{h24}-{h34}'),
  shape('readme-key', 'rdme_{l70}'),
  shape('mapbox-token', 'sk.eyJ{a60}.{a22}'),
  shape('contentful-token', 'CFPAT-{a43}'),
  shape('typeform-token', 'tfp_{a40}_{a18}'),
  shape('adafruit-key', 'aio_{a28}'),
  shape('dropbox-token', 'sl.{a136}'),
  shape('facebook-token', 'EAACEdEose0cBA{a80}'),
  shape('x-bearer-token', 'AAAAAAAAAAAAAAAAAAAAA{a8}%2B{a20}%3D{a50}'),
  shape('frameio-token', 'fio-u-{a64}'),
  shape('intra42-secret', 's-s4t2ud-{h64}'),
];

const keys = [
  shape('jwt', 'eyJ{a33}.eyJ{a60}.{w43}', 'eyJ{a33}.eyJ{a400}.{w342}'),
  shape('jwe', 'eyJ{a40}.{a342}.{a16}.{a120}.{a22}'),
  shape('age-key', 'AGE-SECRET-KEY-1{U58}'),
  shape('encoded-private-key', 'LS0tLS1CRUdJTiBQUklWQVRF{b600}=='),
];

/** One row a shape; several where a vendor issues several. */
export const shapeSamples: readonly ShapeSample[] = [models, clouds, code, services, keys].flat(2);
