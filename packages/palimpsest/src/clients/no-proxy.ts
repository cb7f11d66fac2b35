/** Keeps a program from asking a proxy for a gateway that it reaches without one. Pure. */

type Environment = Readonly<Record<string, string | undefined>>;

const proxyNames = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'] as const;
const listNames = ['NO_PROXY', 'no_proxy'] as const;

/**
 * `NO_PROXY` in both spellings, with what stands in them and the host of the gateway. Where one is not set, it gets the other's. None where the
 * environment has nothing of proxies: Python asks the system for its proxy only as long as no such variable is set.
 */
export function straightVariables(
  gateway: string,
  env: Environment,
): Readonly<Partial<Record<(typeof listNames)[number], string>>> {
  if (![...proxyNames, ...listNames].some((name) => env[name])) return {};
  const [large = '', small = ''] = listNames.map((name) => env[name]);
  return { NO_PROXY: withHosts(large || small, gateway), no_proxy: withHosts(small || large, gateway) };
}

/** The variable by which a program would ask a proxy for the gateway; undefined where none would. */
export function detourVariable(gateway: string, env: Environment): string | undefined {
  const isExempt = listNames.some((name) => env[name] && withHosts(env[name], gateway) === env[name]);
  return isExempt ? undefined : proxyNames.find((name) => env[name]);
}

function withHosts(list: string, gateway: string): string {
  const there = list.split(/[\s,]+/).filter(Boolean);
  // Some programs know a star only where it stands alone.
  if (there.includes('*')) return list;
  const { hostname } = new URL(gateway);
  // An address of version 6 is written with brackets by some and without by others.
  const hosts = hostname.startsWith('[') ? [hostname.slice(1, -1), hostname] : [hostname];
  const more = hosts.filter((host) => !there.includes(host));
  return more.length === 0 ? list : [...(list === '' ? [] : [list]), ...more].join(',');
}
