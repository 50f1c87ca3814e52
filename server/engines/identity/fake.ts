import type { IdentityProvider } from './contract.ts';

/** Accepts every sign-in, always as the same person. */
export const createFakeIdentity = (): IdentityProvider => ({
  label: 'Contoso',
  signInAddress: async ({ state }) => `https://login.example.com/?state=${state}`,
  identify: async () => ({
    issuer: 'https://login.example.com',
    subject: 'grace',
    email: 'grace@example.com',
    isEmailVerified: true,
    name: 'Grace Hopper',
  }),
  takeSecret() {},
});
