import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';
import { anAgent } from '../test-agents.ts';

const by = { _id: ada._id, name: ada.name };
const at = '2026-11-22T15:05:00.000Z';
const versions = [
  { version: 3, createdAt: at, by, changed: ['prompts'], restoredFrom: 1 },
  { version: 2, createdAt: at, by, changed: ['companyInfo', 'documents'] },
  { version: 1, createdAt: at, by, changed: [] },
];
const contentOf = (companyInfo: string) => ({
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Brief.',
  companyInfo,
  prompts: [],
  language: 'en',
  masks: [],
  documents: [],
  actions: [],
});
const paths = '/api/agents/agent-1/versions';
const stored = {
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [anAgent()] },
  'GET /api/agents/agent-1': { body: anAgent() },
  [`GET ${paths}`]: { body: versions },
  [`GET ${paths}/1`]: { body: { ...versions[2], content: contentOf('# Hours\nOpen from 9 am.\nSee you.') } },
  [`GET ${paths}/2`]: { body: { ...versions[1], content: contentOf('# Hours\nOpen from 10 am.\nSee you.') } },
  [`GET ${paths}/3`]: { body: { ...versions[0], content: contentOf('# Hours\nOpen from 9 am.\nSee you.') } },
};

async function open(answers: Parameters<typeof fakeServer>[0] = stored) {
  const requests = fakeServer(answers);
  openPage('/agents/edit/agent-1', 'token-1');
  await screen.findByLabelText('Agent Name');
  return requests;
}
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Versions' })).getAllByRole('listitem');

it('lists who changed what, the newest first', async () => {
  await open();
  const [third, second, first] = await rows();
  expect(third).toHaveTextContent(/Version 3.*Now.*Went back to version 1.*Ada Lovelace/);
  expect(second).toHaveTextContent(/Version 2.*Changed: Company Information, Documents/);
  expect(first).toHaveTextContent(/Version 1.*The first version/);
  expect(screen.queryByRole('button', { name: 'Go back to version 3' })).toBeNull();
});

it('shows what a version changed, word by word, and what has changed since', async () => {
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Compare version 2' }));
  const field = within(await screen.findByRole('region', { name: 'Company Information' }));
  const lines = field.getAllByText(/^(?:Removed|Added):$/).map((each) => each.parentElement?.textContent);
  expect(lines).toEqual(['Removed: Open from 9 am.', 'Added: Open from 10 am.']);
  expect(field.getByText('9')).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: 'Changes since then' }));
  await waitFor(() =>
    expect(
      screen.getAllByText(/^(?:Removed|Added):$/).map((each) => each.parentElement?.textContent),
    ).toEqual(['Removed: Open from 10 am.', 'Added: Open from 9 am.']),
  );
});

it('tells which documents came, and which got another text', async () => {
  const content = (...documents: object[]) => ({ ...contentOf('Open.'), documents });
  const prices = { _id: 'document-1', title: 'Prices' };
  const returns = { _id: 'document-2', title: 'Returns', textSince: 2 };
  await open({
    ...stored,
    [`GET ${paths}/1`]: { body: { ...versions[2], content: content(prices) } },
    [`GET ${paths}/2`]: { body: { ...versions[1], content: content({ ...prices, textSince: 2 }, returns) } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Compare version 2' }));
  const field = within(await screen.findByRole('region', { name: 'Documents' }));
  const lines = field.getAllByText(/^(?:Removed|Added):$/).map((each) => each.parentElement?.textContent);
  expect(lines).toEqual(['Removed: Prices', 'Added: Prices (another text)', 'Added: Returns']);
});

it('tells which actions came, and which were changed', async () => {
  const content = (...actions: object[]) => ({ ...contentOf('Open.'), actions });
  const refund = { _id: 'action-1', name: 'Refund' };
  await open({
    ...stored,
    [`GET ${paths}/1`]: { body: { ...versions[2], content: content(refund) } },
    [`GET ${paths}/2`]: {
      body: {
        ...versions[1],
        content: content({ ...refund, textSince: 2 }, { _id: 'action-2', name: 'Order' }),
      },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Compare version 2' }));
  const field = within(await screen.findByRole('region', { name: 'Actions' }));
  const lines = field.getAllByText(/^(?:Removed|Added):$/).map((each) => each.parentElement?.textContent);
  expect(lines).toEqual(['Removed: Refund', 'Added: Refund (changed)', 'Added: Order']);
});

it('says so where two versions say the same', async () => {
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Compare version 1' }));
  expect(await screen.findByText('Versions 1 and 3 are the same.')).toBeVisible();
});

it('goes back after asking, and the form has what was brought back', async () => {
  let isRestored = false;
  const requests = await open({
    ...stored,
    'GET /api/agents/agent-1': () => ({ body: anAgent(isRestored ? { companyInfo: 'As it was.' } : {}) }),
    [`POST ${paths}/2/restore`]: () => {
      isRestored = true;
      return { body: anAgent() };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Go back to version 2' }));
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Go back' }));
  expect(await screen.findByText('The agent is back at version 2.')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Company Information')).toHaveValue('As it was.'));
  expect(requests.filter(({ path }) => path === `${paths}/2/restore`)).toHaveLength(1);
});

it('says that going back failed, and that the history could not be loaded', async () => {
  await open({
    ...stored,
    [`POST ${paths}/2/restore`]: refusal(404, 'This version does not exist.', 'not-found'),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Go back to version 2' }));
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Go back' }));
  expect(await screen.findByText('This version does not exist.')).toBeVisible();
});

it('offers to load the history again when that failed', async () => {
  await open({ ...stored, [`GET ${paths}`]: refusal(500, 'Something went wrong.', 'internal') });
  expect(await screen.findByText('The history could not be loaded.')).toBeVisible();
});
