import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { keepSealed } from '#web/lib/sealed-storage';
import { ownTab } from '#web/lib/tab-owner';
import { Toaster } from '#web/ui/layers/toast';
import { Composer } from './composer.tsx';

beforeEach(() => ownTab('user-ada', undefined));

function Example({
  waiting = false,
  onSend = () => true,
}: {
  waiting?: boolean;
  onSend?: (text: string) => boolean;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <Composer
        field={field}
        draftKey="draft"
        canSend={(text) => text.trim() !== '' && !waiting}
        onSend={onSend}
        ended={false}
      />
      <Toaster />
    </>
  );
}

const field = () => screen.getByPlaceholderText('Type your message...');
const send = () => screen.getByRole('button', { name: 'Send message' });

it('sends with Enter, starts a new line with Shift and Enter, and is empty afterwards', async () => {
  const sent: string[] = [];
  render(<Example onSend={(text) => sent.push(text) > 0} />);
  await userEvent.type(field(), 'One{Shift>}{Enter}{/Shift}Two{Enter}');
  expect(sent).toEqual(['One\nTwo']);
  expect(field()).toHaveValue('');
});

it('sends with the button', async () => {
  const sent: string[] = [];
  render(<Example onSend={(text) => sent.push(text) > 0} />);
  await userEvent.type(field(), 'Hello');
  await userEvent.click(send());
  expect(sent).toEqual(['Hello']);
});

it('does not send blank text, nor anything while an answer is awaited', async () => {
  const sent: string[] = [];
  const { rerender } = render(<Example onSend={(text) => sent.push(text) > 0} />);
  expect(send()).toBeDisabled();
  await userEvent.type(field(), '   {Enter}');
  expect(send()).toBeDisabled();
  rerender(<Example waiting onSend={(text) => sent.push(text) > 0} />);
  await userEvent.type(field(), 'Hello{Enter}');
  expect(send()).toBeDisabled();
  expect(sent).toEqual([]);
  expect(field()).toHaveValue('   Hello');
});

it('keeps what was not taken, and what was written before the page was loaded again', async () => {
  const first = render(<Example onSend={() => false} />);
  await userEvent.type(field(), 'Half a thought{Enter}');
  expect(field()).toHaveValue('Half a thought');
  first.unmount();
  render(<Example />);
  expect(field()).toHaveValue('Half a thought');
});

it('leaves Enter to a word that is being composed', async () => {
  const sent: string[] = [];
  render(<Example onSend={(text) => sent.push(text) > 0} />);
  await userEvent.type(field(), 'こんに');
  field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }));
  expect(sent).toEqual([]);
});

it('counts the characters near the limit and does not send past it', async () => {
  keepSealed('draft', 'x'.repeat(7_600));
  const { unmount } = render(<Example />);
  expect(screen.getByText('400 characters left')).toBeVisible();
  expect(send()).toBeEnabled();
  unmount();
  keepSealed('draft', 'x'.repeat(8_002));
  render(<Example />);
  expect(screen.getByText('2 characters too many')).toBeVisible();
  expect(field()).toBeInvalid();
  expect(send()).toBeDisabled();
});
