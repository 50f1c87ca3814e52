import { expect, it } from 'vitest';
import { noAnswers, serveNoAnswer } from '../../../tests/support/no-answers.ts';
import { createOpenIdConnect } from './openid-connect.ts';

const challenge = {
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
  redirectUri: 'https://care.example/sign-in/back',
};

it.each(noAnswers)('a provider that %s is away', async (way) => {
  const { host, close } = await serveNoAnswer(way);
  const provider = createOpenIdConnect({
    issuer: `http://${host}`,
    clientId: 'sigma',
    clientSecret: 'secret',
    label: 'Contoso',
    patienceS: 0.3,
  });
  await expect(provider.signInAddress(challenge)).rejects.toMatchObject({
    name: 'IdentityError',
    kind: 'away',
  });
  await expect(provider.identify(challenge, new URLSearchParams())).rejects.toMatchObject({ kind: 'away' });
  await close();
});
