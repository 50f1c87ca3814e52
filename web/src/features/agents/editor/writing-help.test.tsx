import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';

const HELP = 'POST /api/agents/writing-help';
const hints = [
  { kind: 'no-number', text: 'quickly', passages: ['Refunds: We refund quickly.'] },
  {
    kind: 'contradiction',
    text: '30 / 45',
    passages: ['Returns: Within 30 days.', 'Terms: Within 45 days.'],
  },
  { kind: 'contradiction', text: '', passages: ['Gift cards can be returned.', 'They cannot be returned.'] },
  { kind: 'unanswered', text: 'When are you open?', passages: [] },
];
const text = 'Everything about returns. '.repeat(10);

afterEach(() => {
  vi.useRealTimers();
});

async function open(answer: Parameters<typeof fakeServer>[0][string]) {
  const requests = fakeServer({
    'GET /api/auth/me': { body: ada },
    'GET /api/agents': { body: [] },
    [HELP]: answer,
  });
  openPage('/agents/create', 'token-1');
  await screen.findByLabelText('Agent Name');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => requests.filter(({ path }) => path === '/api/agents/writing-help');
}
const write = (companyInfo: string) =>
  fireEvent.change(screen.getByLabelText('Company Information'), { target: { value: companyInfo } });
const pause = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('names what to mend once the writer pauses, closed until somebody wants to know', async () => {
  const asked = await open({ body: { hints } });
  write(text);
  await pause(1_400);
  write(`${text}!`);
  await pause(1_400);
  expect(asked()).toEqual([]);
  await pause(200);
  vi.useRealTimers();
  const summary = await screen.findByText('4 hints for this text');
  expect(asked().map(({ body }) => body)).toEqual([{ companyInfo: `${text}!` }]);
  expect(screen.getByText('“quickly”: how long, how much or how many? Customers ask.')).not.toBeVisible();
  await userEvent.click(summary);
  const list = within(screen.getByRole('list', { name: 'Hints' }));
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'A number is missing“quickly”: how long, how much or how many? Customers ask.Refunds: We refund quickly.',
    'Possible contradictionWhich one is right?Returns: Within 30 days.Terms: Within 45 days.',
    'Possible contradictionOne says yes, the other says no.Gift cards can be returned.They cannot be returned.',
    'Customers may askWhen are you open?',
  ]);
});

it('does not speak up for a text that has only begun, and takes its hints away with the text', async () => {
  const asked = await open({ body: { hints } });
  write('We open at nine.');
  await pause(2_000);
  expect(asked()).toEqual([]);
  write(text);
  await pause(2_000);
  vi.useRealTimers();
  await screen.findByText('4 hints for this text');
  write('');
  expect(screen.queryByText('4 hints for this text')).toBeNull();
});

it('is silent where the server cannot help', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  await open(refusal(503, 'Not now.', 'unavailable'));
  write(text);
  await pause(2_000);
  vi.useRealTimers();
  await vi.waitFor(() =>
    expect(log).toHaveBeenCalledWith('There is no help with writing.', expect.anything()),
  );
  expect(screen.queryByRole('alert')).toBeNull();
});
