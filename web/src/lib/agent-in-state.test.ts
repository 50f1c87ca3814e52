import { expect, it } from 'vitest';
import { agentInState, agentPath, agentState } from './agent-in-state.ts';

const agent = {
  _id: 'agent-1',
  name: 'Mia',
  companyName: 'Contoso',
  personality: 'Brief.',
  companyInfo: 'Open daily.',
  prompts: [],
};

it('hands an agent over and finds it again', () => {
  const at = new Date().toISOString();
  expect(agentInState(agentState({ ...agent, createdAt: at, updatedAt: at }))).toEqual(agent);
  expect(agentInState({ ...agentState(agent), conversationId: 'call-1' })).toEqual(agent);
});

it.each([
  null,
  undefined,
  'x',
  {},
  { agent: null },
  { agent: { ...agent, _id: 7 } },
  { agent: { name: 'Mia' } },
])('finds none in %j', (state) => {
  expect(agentInState(state)).toBeNull();
});

it.each([
  ['Mia', '/calls/Mia'],
  ['50% / off?', '/calls/50%25%20%2F%20off%3F'],
  ['..', '/calls/agent'],
  ['.', '/calls/agent'],
  ['...', '/calls/...'],
])('makes an address of the name %s', (name, path) => {
  expect(agentPath('calls', name)).toBe(path);
});
