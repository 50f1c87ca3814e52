import { Secret, TOTP } from 'otpauth';

/** As every authenticator app reads them (RFC 6238 over SHA-1, six digits, half a minute each). */
const PERIOD_S = 30;
const OPTIONS = { algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const;
/** Clocks may be off by one step, and people need time to type (RFC 6238, 5.2). */
const WINDOW_STEPS = 1;
const SECRET_BYTES = 20;

/** 160 random bits, as RFC 4226 recommends, in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an authenticator app is shown as a picture. */
export const setUpAddress = (secret: string, email: string): string =>
  new TOTP({ ...OPTIONS, issuer: 'Sigma', label: email, secret: Secret.fromBase32(secret) }).toString();

/** The code of an authenticator app in what somebody typed, who may have put spaces into it; null where it is none. */
export function oneTimeCodeIn(typed: string): string | null {
  const code = typed.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * @param now milliseconds since 1970
 * @returns the step of time whose code it is; null for a wrong one
 */
export function stepOf(secret: string, code: string, now: number): number | null {
  const delta = TOTP.validate({
    ...OPTIONS,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: WINDOW_STEPS,
  });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta;
}
