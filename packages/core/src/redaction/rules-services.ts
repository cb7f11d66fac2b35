/** Keys of the services that programs call: chat, mail, payments, monitoring, content. */
import { looksRandom } from './looks.ts';
import { prefixed, type Rule, shaped, uuid } from './rule.ts';

const word = '[\\w-]';
const hex = '[0-9a-f]';

/** How base64 begins of the number that Discord gives a bot: `MTA…` for 10, `OTk…` for 99. */
const discordStarts = ['MD', 'MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].flatMap((first) =>
  [...'AEIMQUYcgk'].map((second) => first + second),
);
/** Two capitals are no keyword: with the digit behind them they are. */
const twilioStarts = ['SK', 'AC'].flatMap((first) => [...'0123456789abcdef'].map((second) => first + second));

export const serviceRules: readonly Rule[] = [
  prefixed('slack-token', 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp-', {
    chars: '[\\w%-]',
    least: 10,
  }),
  shaped(
    'slack-webhook',
    'hooks.slack.com/',
    'hooks\\.slack\\.com\\/(?:services|workflows|triggers)\\/([A-Za-z0-9/_-]{20,120})',
  ),
  shaped('discord-token', 'mfa.', 'mfa\\.[\\w-]{60,100}(?![\\w-])'),
  shaped('discord-token', discordStarts.join(' '), '[MNO][DTjz][\\w-]{20,28}\\.[\\w-]{5,7}\\.[\\w-]{25,60}(?![\\w-])'),
  shaped('discord-webhook', '/api/webhooks/', '\\/api\\/webhooks\\/\\d{15,22}\\/([\\w-]{30,100})', {
    startsWord: false,
  }),
  shaped(
    'teams-webhook',
    'webhook.office.com/webhookb2/',
    `webhook\\.office\\.com\\/webhookb2\\/([0-9A-Za-z@/-]{60,300})`,
    {
      startsWord: false,
    },
  ),
  shaped(
    'zapier-webhook',
    'hooks.zapier.com/hooks/catch/',
    'hooks\\.zapier\\.com\\/hooks\\/catch\\/(\\d+\\/\\w{5,40})',
  ),
  shaped('telegram-token', ':AA', '(?<=(?<![0-9A-Za-z])(?:bot)?(?<lead>\\d{8,10})):AA[\\w-]{32,34}(?![\\w-])', {
    startsWord: false,
  }),
  prefixed('stripe-key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_', { least: 10 }),
  prefixed('webhook-secret', 'whsec_', { chars: '[A-Za-z0-9+/=]' }),
  prefixed('square-token', 'sq0atp- sq0csp- sq0idp- EAAA', {
    chars: word,
    least: 22,
    check: (one) => looksRandom(one.slice(4), 20),
  }),
  shaped('paypal-token', 'access_token$', `access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$${hex}{32}`),
  shaped(
    'plaid-token',
    'access-sandbox- access-production- access-development-',
    `access-(?:sandbox|production|development)-${uuid}`,
  ),
  shaped('flutterwave-key', 'FLWSECK', 'FLWSECK(?:_TEST)?-[0-9A-Za-z]{20,60}(?:-X)?'),
  prefixed('razorpay-key', 'rzp_live_ rzp_test_', { least: 12 }),
  prefixed('duffel-token', 'duffel_live_ duffel_test_', { chars: word }),
  prefixed('shippo-token', 'shippo_live_ shippo_test_', { chars: hex }),
  shaped('easypost-key', 'EZAK EZTK', 'EZ[AT]K[A-Za-z0-9]{54}(?![A-Za-z0-9])'),
  shaped('lob-key', 'live_ test_', `(?:live|test)_${hex}{35}(?![0-9A-Za-z])`),
  shaped('mollie-key', 'live_ test_', '(?:live|test)_[A-Za-z0-9]{30,40}(?!\\w)', {
    check: (one) => looksRandom(one.slice(5), 30),
  }),
  prefixed('planet-key', 'PLAK', { chars: hex, least: 32 }),
  prefixed('shopify-token', 'shpat_ shpca_ shppa_ shpss_ shptka_ shpua_'),
  prefixed('sendgrid-key', 'SG.', { chars: '[\\w.-]', least: 30, check: (one) => /^SG\.[\w-]{16,}/.test(one) }),
  shaped('mailgun-key', 'key- pubkey-', `(?:pub)?key-${hex}{32}(?![0-9A-Za-z])`),
  shaped('mailchimp-key', '-us', `(?<=(?<![0-9A-Za-z])(?<lead>${hex}{32}))-us\\d{1,2}(?!\\d)`, { startsWord: false }),
  shaped('mandrill-key', 'md-', 'md-[\\w-]{22}(?![\\w-])', {
    check: (one) => /[a-z]/.test(one.slice(3)) && /[A-Z]/.test(one) && !/[-_]/.test(one.slice(4, 24)),
  }),
  prefixed('brevo-key', 'xkeysib- xsmtpsib-', { chars: '[0-9A-Za-z-]' }),
  shaped('resend-key', 're_', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?!\\w)'),
  shaped('twilio-key', twilioStarts.join(' '), `(?:SK|AC)${hex}{32}(?![0-9A-Za-z])`),
  prefixed('linear-key', 'lin_api_ lin_oauth_ lin_wh_', { chars: '\\w' }),
  shaped('notion-secret', 'secret_', 'secret_[A-Za-z0-9]{40,50}(?!\\w)'),
  prefixed('notion-token', 'ntn_', { least: 30 }),
  shaped('airtable-token', 'pat', `pat[A-Za-z0-9]{14}\\.${hex}{40,64}(?![0-9A-Za-z])`),
  prefixed('figma-token', 'figd_ figo_ figu_', { chars: word }),
  shaped('hubspot-token', 'pat-na pat-eu', `pat-(?:na|eu)\\d-${uuid}`),
  prefixed('sentry-token', 'sntrys_ sntryu_ sntrya_', { chars: '[\\w+/=-]' }),
  prefixed('grafana-token', 'glc_ glsa_', { chars: '[\\w+/=]' }),
  prefixed('grafana-api-key', 'eyJrIjoi', { chars: '[A-Za-z0-9+/=]', least: 36 }),
  prefixed('newrelic-key', 'NRAK- NRII- NRJS- NRRA- NRIQ- NRSP-', { chars: word }),
  shaped('newrelic-license', 'NRAL', `(?<=(?<![0-9A-Za-z])(?<lead>${hex}{36}))NRAL(?![0-9A-Za-z])`, {
    startsWord: false,
  }),
  shaped('dynatrace-token', 'dt0', 'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{30,64}'),
  prefixed('honeycomb-key', 'hcaik_ hcbik_ hccik_ hcxik_ hcamk_', { least: 30 }),
  prefixed('posthog-key', 'phx_', { least: 30 }),
  shaped('launchdarkly-key', 'sdk- api- mob-', `(?:sdk|api|mob)-${uuid}`),
  prefixed('postman-key', 'PMAK-', { chars: '[0-9a-f-]', least: 24 }),
  prefixed('readme-key', 'rdme_', { least: 40 }),
  shaped('mapbox-token', 'sk.eyJ', 'sk\\.eyJ[\\w-]{20,300}\\.[\\w-]{10,60}'),
  prefixed('contentful-token', 'CFPAT-', { chars: word }),
  prefixed('typeform-token', 'tfp_', { chars: '[\\w.-]', least: 30 }),
  prefixed('adafruit-key', 'aio_', { least: 24 }),
  prefixed('dropbox-token', 'sl.', { chars: word, least: 100 }),
  prefixed('facebook-token', 'EAACEdEose0cBA EAAB EAAG', { least: 60 }),
  prefixed('facebook-token', 'EAA IGQV IGAA THAA', { least: 80, check: (one) => looksRandom(one.slice(4), 40) }),
  shaped('x-bearer-token', 'AAAAAAAA', 'A{20,24}[A-Za-z0-9]{2,30}%[A-Za-z0-9%]{30,200}'),
  prefixed('frameio-token', 'fio-u-', { chars: word, least: 40 }),
  prefixed('twitch-token', 'oauth:', { chars: '[0-9a-z]', least: 30 }),
  prefixed('pinterest-token', 'pina_', { chars: '\\w', least: 40 }),
  prefixed('linkedin-secret', 'WPL_AP', { chars: '[\\w.+/=-]', least: 20 }),
  prefixed('klaviyo-key', 'pk_', { chars: hex, least: 34 }),
  shaped('clickup-token', 'pk_', 'pk_\\d{5,12}_[A-Z0-9]{30,40}(?![A-Za-z0-9])'),
  shaped(
    'asana-token',
    ['0/', '1/', '2/'].flatMap((start) => [...'123456789'].map((digit) => start + digit)).join(' '),
    `[012]\\/\\d{10,20}(?:\\/\\d{10,20})?:${hex}{32}(?![0-9A-Za-z])`,
  ),
  shaped(
    'asana-token',
    [...'0123456789abcdef'].map((digit) => `0/${digit}`).join(' '),
    `0\\/${hex}{32}(?![0-9A-Za-z])`,
  ),
  prefixed('trello-token', 'ATTA', { chars: '[0-9A-Za-z]', least: 60 }),
  prefixed('segment-token', 'sgp_', { least: 64 }),
  shaped('airtable-key', 'key', 'key[A-Za-z0-9]{14}(?![\\w-])', {
    check: (one) => /\d/.test(one) && looksRandom(one.slice(3), 14),
  }),
  shaped('salesforce-session', '00D', '00D[A-Za-z0-9]{9,15}![A-Za-z0-9._]{60,200}'),
  shaped('dingtalk-secret', 'SEC', `SEC${hex}{64}(?![0-9A-Za-z])`),
  shaped('calendar-address', '/private-', `\\/private-(${hex}{32})(?=\\/basic\\.ics)`, { startsWord: false }),
  shaped('deploy-hook', 'api.render.com/deploy/', 'api\\.render\\.com\\/deploy\\/srv-\\w{10,40}\\?key=([\\w-]{8,60})', {
    startsWord: false,
  }),
  shaped(
    'deploy-hook',
    'api.vercel.com/v1/integrations/deploy/',
    'api\\.vercel\\.com\\/v1\\/integrations\\/deploy\\/(\\w{10,60}\\/\\w{6,40})',
    { startsWord: false },
  ),
  shaped('deploy-hook', 'api.netlify.com/build_hooks/', `api\\.netlify\\.com\\/build_hooks\\/(${hex}{20,40})`, {
    startsWord: false,
  }),
  shaped('okta-token', 'SSWS', 'SSWS ([\\w-]{30,60})(?![\\w-])'),
  shaped('kakao-key', 'KakaoAK', `KakaoAK (${hex}{32})(?![0-9a-z])`),
  prefixed('axiom-token', 'xaat- xapt-', { chars: '[0-9a-f-]', least: 32 }),
  prefixed('statsig-secret', 'secret-live- secret-test-', { chars: '[\\w=-]', least: 24 }),
  prefixed('paddle-key', 'pdl_live_ pdl_sdbx_ pdl_ntfset_', { chars: '\\w', least: 30 }),
  prefixed('onesignal-key', 'os_v2_', { chars: '\\w', least: 40 }),
  prefixed('pubnub-secret', 'sec-c-', { chars: '[A-Za-z0-9=-]', least: 30 }),
  prefixed('adobe-secret', 'p8e- p8-', { chars: '[\\w-]', least: 30, check: (one) => looksRandom(one.slice(4), 20) }),
  prefixed('octopus-key', 'API-', { chars: '[A-Z0-9]', least: 25 }),
  prefixed('apify-token', 'apify_api_', { least: 30 }),
  prefixed('retool-token', 'retool_', { chars: '\\w', least: 24 }),
  prefixed('shortcut-token', 'sct_rw_ sct_ro_', { chars: '\\w', least: 20 }),
  prefixed('canva-secret', 'cnvca', { chars: '[\\w-]', least: 30 }),
  prefixed('intra42-secret', 's-s4t2', { chars: '[0-9a-z-]', least: 40 }),
];
