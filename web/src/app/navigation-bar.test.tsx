import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeServer, openPage } from '#web/test-support';

it('offers the colour themes at the first press, and keeps the one that is chosen', async () => {
  fakeServer({});
  openPage('/login');
  await userEvent.click(await screen.findByRole('button', { name: 'Color theme' }));
  expect(await screen.findByRole('menuitemradio', { name: 'System' })).toBeChecked();
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Dark' }));
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  expect(localStorage.getItem('sigma.theme')).toBe('dark');
});
