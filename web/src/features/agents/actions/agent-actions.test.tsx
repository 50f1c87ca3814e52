import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Action } from '#shared/actions';
import { ada, fakeServer, openPage } from '#web/test-support';
import { anAgent } from '../test-agents.ts';

/** A call that never connects. */
vi.mock('#web/lib/server/socket', () => ({ openRealtime: () => ({ close() {} }) }));

const action: Action = {
  _id: 'action-1',
  name: 'Order status',
  when: 'They ask where their order is.',
  inputs: [{ name: 'order', label: 'order number', type: 'digits', pattern: '(?!0)\\d{4}', required: true }],
  method: 'GET',
  url: 'https://shop.example.com/orders/{order}',
  headers: {},
  confirm: false,
  says: 'It is {answer.status}.',
};

it('says beside an action what of it is not used', async () => {
  const problem = 'The pattern of the order number is not used. Leave lookarounds out of the pattern.';
  const { _id } = anAgent();
  fakeServer({
    'GET /api/auth/me': { body: ada },
    'GET /api/agents': { body: [anAgent()] },
    [`GET /api/agents/${_id}`]: { body: anAgent() },
    [`GET /api/agents/${_id}/actions`]: {
      body: [
        { ...action, problem },
        { ...action, _id: 'action-2', name: 'Refund' },
      ],
    },
  });
  openPage(`/agents/edit/${_id}`, 'token-1');
  const list = await screen.findByRole('list', { name: 'Actions' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(first).toHaveTextContent(problem);
  expect(second).not.toHaveTextContent('not used');
});
