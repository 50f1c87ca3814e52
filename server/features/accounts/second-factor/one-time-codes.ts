import { Secret, TOTP } from 'otpauth';

/** The format that every authenticator app reads (RFC 6238 over SHA-1, six digits, 30 s). */
const PERIOD_S = 30;
const OPTIONS = { algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const;
/** Clocks may be off by one step, and typing takes time (RFC 6238, 5.2). */
const WINDOW_STEPS = 1;
const SECRET_BYTES = 20;

/** 160 random bits, as RFC 4226 recommends, in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address that an authenticator app scans as a picture. */
export const setUpAddress = (secret: string, email: string): string =>
  new TOTP({ ...OPTIONS, issuer: 'Sigma', label: email, secret: Secret.fromBase32(secret) }).toString();

/** The authenticator code in typed text, ignoring spaces; null if it is none. */
export function oneTimeCodeIn(typed: string): string | null {
  const code = typed.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * @param now milliseconds since 1970
 * @returns the time step of the code; null for a wrong one
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
