/** A certificate that a test makes for itself, so that no key lies in the repository (X.509 v3, RFC 5280, in DER). */
import { generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface Certificate {
  /** Both as PEM. */
  readonly cert: string;
  readonly key: string;
}

/** One that signs itself, for these names and addresses. */
export function makeCertificate(names: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, objectId('2a8648ce3d040302'));
  const name = der(
    0x30,
    der(0x31, der(0x30, objectId('550403'), der(0x0c, Buffer.from(`Palimpsest test ${names[0]}`)))),
  );
  const validity = der(0x30, der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('20990101000000Z')));
  const isAuthority = extension('551d13', der(0x30, der(0x01, Buffer.from([0xff]))));
  const alternatives = extension('551d11', der(0x30, ...names.map(alternative)));
  const signed = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, isAuthority, alternatives)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const lines =
    der(0x30, signed, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A name, or an address: that of IPv6 is the one of this machine, `::1`. */
function alternative(name: string): Buffer {
  if (isIP(name) === 0) return der(0x82, Buffer.from(name));
  return der(0x87, Buffer.from(isIP(name) === 4 ? name.split('.').map(Number) : [...Array(15).fill(0), 1]));
}

/** A value with its tag and its length. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const value = Buffer.concat(content);
  const bytes = value.length < 0x80 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), value]);
}

const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const extension = (id: string, value: Buffer): Buffer => der(0x30, objectId(id), der(0x04, value));
