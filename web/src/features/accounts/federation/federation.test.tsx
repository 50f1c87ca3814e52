import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';
import { keepAttempt, takeAttempt } from './attempt.ts';
import { ProviderButton } from './provider-button.tsx';

beforeEach(() => sessionStorage.clear());

it('offers the provider by its name, where there is one', async () => {
  fakeServer({ 'GET /api/auth/options': { body: { passwordReset: false, provider: 'Contoso' } } });
  openPage('/login');
  expect(await screen.findByRole('button', { name: 'Continue with Contoso' })).toBeVisible();
});

it('goes to the provider, and keeps what finishes the sign-in', async () => {
  fakeServer({ 'POST /api/auth/oidc': { body: { address: 'https://login.example.com/x', attempt: 'a-1' } } });
  const went: string[] = [];
  render(<ProviderButton provider="Contoso" goTo={(address) => went.push(address)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Contoso' }));
  await waitFor(() => expect(went).toEqual(['https://login.example.com/x']));
  expect(takeAttempt()).toBe('a-1');
  expect(takeAttempt()).toBeNull();
});

it('says that the provider is away', async () => {
  const sentence = 'Contoso cannot be reached at the moment. Try again later, or sign in with your password.';
  fakeServer({
    'GET /api/auth/options': { body: { passwordReset: false, provider: 'Contoso' } },
    'POST /api/auth/oidc': refusal(503, sentence, 'unavailable'),
  });
  openPage('/login');
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with Contoso' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(screen.getByRole('button', { name: 'Continue with Contoso' })).toBeEnabled();
});

it('comes back signed in', async () => {
  keepAttempt('a-1');
  const seen = fakeServer({
    'POST /api/auth/oidc/back': { body: { ticket: 't-1' } },
    'POST /api/auth/oidc/sign-in': { body: { token: 'token-1', user: ada } },
  });
  const page = openPage('/sign-in/back?code=c&state=s');
  await waitFor(() => expect(page.path()).toBe('/dashboard'));
  expect(localStorage.getItem('token')).toBe('token-1');
  expect(seen[0]?.body).toEqual({ attempt: 'a-1', answer: 'code=c&state=s' });
});

it('asks for the code of a second factor, too', async () => {
  keepAttempt('a-1');
  fakeServer({
    'POST /api/auth/oidc/back': { body: { ticket: 't-1' } },
    'POST /api/auth/oidc/sign-in': ({ body }) =>
      'code' in Object(body)
        ? { body: { token: 'token-1', user: ada } }
        : refusal(401, 'Enter the code, too.', 'second-factor-needed'),
  });
  const page = openPage('/sign-in/back?code=c&state=s');
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');
  await waitFor(() => expect(page.path()).toBe('/dashboard'));
});

describe('an account that somebody made with this address', () => {
  const existing = {
    createdAt: '2026-11-12T09:00:00.000Z',
    ...{ agents: 2, actions: 1, documents: 0, conversations: 14, recordings: 0, rooms: 1 },
  };
  const comeBack = async (answer: Parameters<typeof fakeServer>[0][string]) => {
    keepAttempt('a-1');
    const seen = fakeServer({
      'POST /api/auth/oidc/back': { body: { ticket: 't-1', existing } },
      'POST /api/auth/oidc/sign-in': answer,
    });
    const page = openPage('/sign-in/back?code=c&state=s');
    await screen.findByRole('heading', { name: 'An account with this address already exists' });
    return { page, seen };
  };
  const signedIn = { body: { token: 'token-1', user: ada } };

  it('is shown in numbers, and nothing is chosen for its person', async () => {
    const { page, seen } = await comeBack(signedIn);
    const list = screen.getByRole('list', { name: 'Its contents' });
    expect([...list.children].map(({ textContent }) => textContent)).toEqual([
      '2 agents',
      '1 action',
      '14 conversations',
      '1 room',
    ]);
    expect(screen.getByText(/someone who did not confirm the address/)).toBeVisible();
    for (const choice of screen.getAllByRole('radio')) expect(choice).not.toBeChecked();
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Choose one of the two.');
    expect(seen).toHaveLength(1);
    expect(page.path()).toBe('/sign-in/back');
  });

  it.each([
    ['Start empty', 'Erase it and start empty', 'start-empty'],
    ['Take over its contents', 'Take it over', 'take-over'],
  ])('becomes what its person chooses: %s', async (choice, button, existing) => {
    const { page, seen } = await comeBack(signedIn);
    await userEvent.click(screen.getByRole('radio', { name: choice }));
    await userEvent.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(page.path()).toBe('/dashboard'));
    expect(seen[1]?.body).toEqual({ ticket: 't-1', existing });
  });

  it('says why the choice could not be carried out', async () => {
    const sentence = 'This sign-in took too long, was already used or began elsewhere. Start it again.';
    await comeBack(refusal(400, sentence, 'invalid-input'));
    await userEvent.click(screen.getByRole('radio', { name: 'Take over its contents' }));
    await userEvent.click(screen.getByRole('button', { name: 'Take it over' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  });
});

it('finishes nothing that began elsewhere', async () => {
  const seen = fakeServer({});
  openPage('/sign-in/back?code=c&state=s');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This sign-in has expired or began in another browser. Start again.',
  );
  expect(seen).toEqual([]);
});
