/** Tokens of code hosting, package registries and build services. */
import { looksRandom } from './looks.ts';
import { prefixed, type Rule, shaped } from './rule.ts';

const word = '[\\w-]';
const hex = '[0-9a-f]';

export const codeRules: readonly Rule[] = [
  prefixed('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', { chars: '\\w' }),
  shaped('github-app-token', 'ghs_', 'ghs_\\d{1,20}_[\\w-]{8,400}\\.[\\w-]{8,4000}\\.[\\w-]{8,2000}'),
  prefixed('github-fine-grained-token', 'github_pat_', { chars: '\\w' }),
  prefixed(
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glptt- glft- glimt- glagent- gloas- glsoat- glcbt- glffct- glwt- GR1348941',
    {
      chars: '[\\w.-]',
    },
  ),
  prefixed('bitbucket-token', 'ATBB ATCTT3', { chars: '[\\w=-]', least: 24, check: (one) => looksRandom(one, 24) }),
  prefixed('atlassian-token', 'ATATT3 ATSTT3', { chars: '[\\w=-]', least: 24 }),
  prefixed('npm-token', 'npm_', { chars: '\\w', least: 30 }),
  prefixed('pypi-token', 'pypi-', { chars: word, least: 40 }),
  prefixed('rubygems-key', 'rubygems_', { chars: hex }),
  shaped('crates-token', 'cio', 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])', { check: (one) => looksRandom(one.slice(3), 32) }),
  shaped('nuget-key', 'oy2', 'oy2[a-z0-9]{43}(?![a-z0-9])'),
  prefixed('clojars-token', 'CLOJARS_', { least: 30 }),
  prefixed('docker-token', 'dckr_pat_ dckr_oat_', { chars: word }),
  prefixed('packagist-token', 'packagist_ort_ packagist_oat_ packagist_uut_', { chars: hex }),
  prefixed('jfrog-key', 'AKCp cmVmdGtuOj', { chars: '[A-Za-z0-9+/]', least: 44 }),
  prefixed('jfrog-key', 'AKC AP1 AP2 AP3 AP4 AP5 AP6 AP7 AP8 AP9 APA APB', {
    least: 60,
    check: (one) => looksRandom(one.slice(4), 40),
  }),
  shaped('circleci-token', 'CCIPAT_ CCIPRJ_', 'CCIP(?:AT|RJ)_[A-Za-z0-9]{10,40}_[0-9a-f]{20,60}'),
  prefixed('buildkite-token', 'bkua_ bkct_ bkaj_', { least: 30 }),
  prefixed('sonar-token', 'sqa_ sqp_ squ_', { chars: hex, least: 30 }),
  prefixed('sourcegraph-token', 'sgp_ slk_', { chars: '[0-9a-z_]', least: 30 }),
  prefixed('jetbrains-token', 'perm: perm-', {
    chars: '[\\w.=-]',
    least: 50,
    check: (one) => looksRandom(one.slice(5), 40),
  }),
  prefixed('snyk-token', 'snyk_uat. snyk_sat.', { chars: '[\\w.-]', least: 20 }),
  prefixed('harness-token', 'pat. sat.', {
    chars: '[\\w.-]',
    least: 50,
    check: (one) => /^[ps]at\.[\w-]{20,24}\.[\w-]{20,26}\.[\w-]{18,24}$/.test(one),
  }),
  prefixed('gitea-token', 'gta_', { chars: '[0-9a-z]', least: 40 }),
  prefixed('codeberg-token', 'fjo_ fgj_', { least: 40 }),
  prefixed('deno-token', 'ddp_ ddo_ ddw_ jsrp_', { least: 30 }),
  prefixed('valtown-token', 'vtwn_', { least: 20 }),
  prefixed('socket-token', 'sktsec_', { chars: '\\w', least: 30 }),
  prefixed('spacelift-key', 'spacelift_', { chars: '\\w', least: 30 }),
  prefixed('cloudsmith-key', 'csk_', { chars: '\\w', least: 30 }),
  prefixed('expo-token', 'expo_', { least: 30 }),
];
