import type { Config } from '#server/settings/config';
import type { IdentityProvider } from './contract.ts';
import { createOpenIdConnect } from './openid-connect.ts';

/** The identity provider that the settings name, or null: then one signs in by password alone. */
export const createIdentity = ({ oidc }: Pick<Config, 'oidc'>): IdentityProvider | null =>
  oidc ? createOpenIdConnect(oidc) : null;
