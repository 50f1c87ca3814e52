import type { Config } from '#server/settings/config';
import type { IdentityProvider } from './contract.ts';
import { createOpenIdConnect } from './openid-connect.ts';

/** The identity provider that the settings name; null means sign-in by password only. */
export const createIdentity = ({ oidc }: Pick<Config, 'oidc'>): IdentityProvider | null =>
  oidc ? createOpenIdConnect(oidc) : null;
