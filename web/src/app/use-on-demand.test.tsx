import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { Toaster, toast } from '#web/ui/layers/toast';
import { useOnDemand } from './use-on-demand.ts';

beforeEach(() => {
  toast.clear();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

/** A page with one part that loads at the press of a button. */
function Page({ load }: { load: () => Promise<() => React.ReactNode> }) {
  const [Part, fetchPart] = useOnDemand(load);
  return (
    <>
      {Part && <Part />}
      <button type="button" onClick={fetchPart}>
        Want it
      </button>
      <Toaster />
    </>
  );
}

it('fetches a part when it is wanted, once', async () => {
  const load = vi.fn(async () => () => 'the part');
  render(<Page load={load} />);
  expect(load).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Want it' }));
  expect(await screen.findByText('the part')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Want it' }));
  expect(load).toHaveBeenCalledTimes(1);
});

it('says so where a part cannot be fetched, leaves the page standing, and tries again', async () => {
  let online = false;
  const load = async () => {
    if (!online) throw new TypeError('Failed to fetch dynamically imported module');
    return () => 'the part';
  };
  render(<Page load={load} />);
  await userEvent.click(screen.getByRole('button', { name: 'Want it' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot be reached.');
  online = true;
  await userEvent.click(screen.getByRole('button', { name: 'Want it' }));
  expect(await screen.findByText('the part')).toBeVisible();
});
